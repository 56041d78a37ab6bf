import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { emailAddress, minPasswordLength, password } from '#lib/account/account.ts'
import type { ErrorBody } from '#lib/api/errors.ts'
import { goInstead } from '#session/navigation.ts'
import { rememberReturnPath } from '#session/return-path.ts'
import { $session, start } from '#session/session.ts'
import { watchReferral } from '#shared/referral-code.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { EmailField } from '#ui/EmailField.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { GoogleButton } from '../sign-in/GoogleButton.tsx'
import { goOnSignedIn } from './heard-about.ts'
import { $sentMail, recallSentMail, register } from './registration.ts'

interface Faults {
  readonly email: string | null
  readonly password: string | null
}

const noFaults: Faults = { email: null, password: null }

/** The server checks more than the page, such as commonly used passwords. */
function faultsFrom(body: ErrorBody | null): Faults | null {
  const faults = { email: faultAbout('email', body), password: faultAbout('password', body) }
  return faults.email === null && faults.password === null ? null : faults
}

/** A user who comes back before confirming wants to check the e-mail; later, to continue. */
function leave(): void {
  recallSentMail()
  if ($sentMail.get() === null) goOnSignedIn()
  else goInstead('/check-email')
}

/** @param props.referralValue name of the global in which the referral script stores its value */
export function RegisterForm({ referralValue }: { readonly referralValue: string }) {
  const session = useStore($session, { ssr: 'initial' })
  const [faults, setFaults] = useState(noFaults)
  const formError = useFormError()
  const { slow, run } = useBusy()
  /** Registering also signs in, which must not trigger the redirect for signed-in users. */
  const registering = useRef(false)

  useEffect(() => {
    rememberReturnPath(window.location.href)
    void start()
  }, [])
  useEffect(() => watchReferral(referralValue), [referralValue])
  useEffect(() => {
    if (session.status === 'signed_in' && !registering.current) leave()
  }, [session.status])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email')
    const secret = textOf(form, 'password')
    const found = { email: faultOf(emailAddress, email), password: faultOf(password, secret) }
    setFaults(found)
    if (found.email !== null || found.password !== null) return focusFirstFault(form)
    if (formError.holds(email.trim())) return formError.remind()
    run(async () => {
      formError.clear()
      registering.current = true
      const result = await register(email.trim(), secret)
      if (result.ok) return 'keep'
      registering.current = false
      const refused = faultsFrom(result.body)
      setFaults(refused ?? noFaults)
      if (refused === null) formError.showError(result, email.trim())
      else focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h1>Your first call is free</h1>
      <p className="soft">All we need is an e-mail address. No card.</p>
      <GoogleButton />
      <EmailField
        id="register-email"
        autoComplete="username"
        fault={faults.email}
        onCheck={value => setFaults(now => ({ ...now, email: faultOf(emailAddress, value) }))}
      />
      <PasswordField
        id="register-password"
        hint={`At least ${minPasswordLength} characters`}
        autoComplete="new-password"
        fault={faults.password}
        onCheck={value => setFaults(now => ({ ...now, password: faultOf(password, value) }))}
      />
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <SubmitButton label="Register" slowLabel="Registering…" slow={slow} />
    </form>
  )
}
