import { useStore } from '@nanostores/react'
import { KeyRound } from 'lucide-react'
import { type ComponentType, type SubmitEvent, useCallback, useEffect, useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { $session, login, start } from '#session/session.ts'
import { AddressedEnvelope, usePendingCall } from '#shared/sign-up/AddressedEnvelope.tsx'
import { GoogleButton } from '#shared/sign-up/GoogleButton.tsx'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { EmailField } from '#ui/EmailField.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { emailFault } from './email-fault.ts'
import { goOnSignedIn } from './go-on.ts'
import styles from './login-form.module.css'
import { texts } from './login-texts.ts'

const noFaults: Readonly<Record<'email' | 'password', string | null>> = { email: null, password: null }

function passwordFault(secret: string): string | null {
  return secret === '' ? texts.noPassword : null
}

export function LoginForm() {
  const session = useStore($session, { ssr: 'initial' })
  const call = usePendingCall()
  const [faults, setFaults] = useState(noFaults)
  const formError = useFormError()
  const { slow, run } = useBusy()
  const passkey = useBusy()
  /** The component of the second step. Loaded on demand, because most users have no second factor. */
  const [Second, setSecond] = useState<ComponentType<{ onBack: () => void }> | null>(null)
  const showSecond = useCallback(async () => {
    const { SecondStep } = await import('./SecondStep.tsx')
    setSecond(() => SecondStep)
  }, [])

  useEffect(() => {
    void start()
    const address = new URL(window.location.href)
    if (!address.searchParams.has('second_factor')) return
    // A reload starts again with the first step.
    address.searchParams.delete('second_factor')
    window.history.replaceState(window.history.state, '', address)
    void showSecond()
  }, [showSecond])
  useEffect(() => {
    if (session.status === 'signed_in') goOnSignedIn()
  }, [session.status])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email')
    const secret = textOf(form, 'password')
    const found = { email: emailFault(email), password: passwordFault(secret) }
    setFaults(found)
    if (found.email !== null || found.password !== null) return focusFirstFault(form)
    if (formError.holds(email.trim())) return formError.remind()
    run(async () => {
      formError.clear()
      const result = await login(email.trim(), secret)
      if (result.ok) return 'keep'
      if (result.code === 'second_factor_required') await showSecond()
      else if (result.code === 'wrong_credentials') {
        setFaults({ ...noFaults, password: texts.noMatch })
        focusFirstFault(form)
      } else formError.showError(result, email.trim())
      return 'done'
    })
  }

  const usePasskey = async (): Promise<'keep' | 'done'> => {
    formError.clear()
    setFaults(noFaults)
    const { logInWithPasskey } = await import('./second-step.ts')
    const result = await logInWithPasskey()
    if (result.ok) return 'keep'
    formError.showError(result)
    return 'done'
  }

  if (Second !== null) return <Second onBack={() => setSecond(null)} />
  return (
    <form method="post" noValidate onSubmit={submit}>
      {call !== null && <AddressedEnvelope call={call} />}
      <h1>{texts.heading}</h1>
      {call !== null && (
        <p className="soft">
          {texts.callIsNext({
            number: call.formatted,
            b: number => (
              <b key="number" className="num">
                {number}
              </b>
            ),
          })}
        </p>
      )}
      <GoogleButton />
      <EmailField
        id="login-email"
        autoComplete="username"
        fault={faults.email}
        onCheck={value => setFaults(now => ({ ...now, email: emailFault(value) }))}
      />
      <PasswordField
        id="login-password"
        autoComplete="current-password"
        fault={faults.password}
        onCheck={value => setFaults(now => ({ ...now, password: passwordFault(value) }))}
      />
      <p className={`small ${styles['forgot']}`}>
        <a href={localPath('/forgot-password')}>{texts.forgot}</a>
      </p>
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <SubmitButton label={texts.login} slowLabel={texts.loggingIn} slow={slow} />
      <button type="button" className="btn plain wide" onClick={() => passkey.run(usePasskey)}>
        <KeyRound className="i" aria-hidden="true" />
        {passkey.slow ? texts.waiting : texts.passkey}
      </button>
    </form>
  )
}
