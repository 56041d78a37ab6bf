import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useState } from 'react'
import { goOnSignedIn } from '#stores/heard-about.ts'
import { $session, login, start } from '#stores/session.ts'
import { focusFirstFault, textOf } from '../field/check.ts'
import { EmailField } from '../field/EmailField.tsx'
import { FormNote } from '../field/FormNote.tsx'
import { PasswordField } from '../field/PasswordField.tsx'
import { useRefusal } from '../field/use-refusal.ts'
import { GoogleButton } from '../google-button/GoogleButton.tsx'
import { SubmitButton } from '../submit-button/SubmitButton.tsx'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './login-form.module.css'

interface Faults {
  readonly email: string | null
  readonly password: string | null
}

const noFaults: Faults = { email: null, password: null }

function emailFault(email: string): string | null {
  return email.trim() === '' ? 'Enter your e-mail address.' : null
}

function passwordFault(secret: string): string | null {
  return secret === '' ? 'Enter your password.' : null
}

export function LoginForm() {
  const session = useStore($session, { ssr: 'initial' })
  const [faults, setFaults] = useState(noFaults)
  const refusal = useRefusal()
  const { slow, run } = useBusy()

  useEffect(() => {
    void start()
  }, [])
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
    if (refusal.holds(email.trim())) return refusal.remind()
    run(async () => {
      refusal.clear()
      const result = await login(email.trim(), secret)
      if (result.ok) return 'keep'
      if (result.code === 'wrong_credentials') {
        setFaults({ ...noFaults, password: 'That e-mail and password do not match.' })
        focusFirstFault(form)
      } else refusal.refuse(result, email.trim())
      return 'done'
    })
  }

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h1>Welcome back</h1>
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
        <a href="/forgot-password">Forgot password?</a>
      </p>
      <FormNote message={refusal.message} waitSeconds={refusal.waitSeconds} reminder={refusal.reminder} />
      <SubmitButton label="Login" slowLabel="Logging in…" slow={slow} />
    </form>
  )
}
