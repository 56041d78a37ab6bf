import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useState } from 'react'
import { goInstead } from '#stores/navigation.ts'
import { $session, login, start } from '#stores/session.ts'
import { takeWish } from '#stores/wish.ts'
import { focusFirstFault, textOf } from '../field/check.ts'
import { EmailField } from '../field/EmailField.tsx'
import { FormNote } from '../field/FormNote.tsx'
import { PasswordField } from '../field/PasswordField.tsx'
import { SubmitButton } from '../submit-button/SubmitButton.tsx'
import { useBusy } from '../submit-button/useBusy.ts'

interface Faults {
  readonly email: string | null
  readonly password: string | null
  readonly form: string | null
}

const noFaults: Faults = { email: null, password: null, form: null }

function emailFault(email: string): string | null {
  return email.trim() === '' ? 'Enter your e-mail address.' : null
}

function passwordFault(secret: string): string | null {
  return secret === '' ? 'Enter your password.' : null
}

export function LoginForm() {
  const session = useStore($session, { ssr: 'initial' })
  const [faults, setFaults] = useState(noFaults)
  const { slow, run } = useBusy()

  useEffect(() => {
    void start()
  }, [])
  useEffect(() => {
    if (session.status !== 'signed_in') return
    goInstead(takeWish(window.location.href, '/call'))
  }, [session.status])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email')
    const secret = textOf(form, 'password')
    const found = { email: emailFault(email), password: passwordFault(secret), form: null }
    setFaults(found)
    if (found.email !== null || found.password !== null) return focusFirstFault(form)
    run(async () => {
      const result = await login(email.trim(), secret)
      if (result.ok) return 'keep'
      const wrong = result.code === 'wrong_credentials'
      setFaults(
        wrong
          ? { ...noFaults, password: 'That e-mail and password do not match. Check both and try again.' }
          : { ...noFaults, form: result.message },
      )
      focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h1>Welcome back</h1>
      <EmailField
        id="login-email"
        fault={faults.email}
        onCheck={value => setFaults(now => ({ ...now, email: emailFault(value) }))}
      />
      <PasswordField
        id="login-password"
        autoComplete="current-password"
        fault={faults.password}
        onCheck={value => setFaults(now => ({ ...now, password: passwordFault(value) }))}
      />
      <FormNote message={faults.form} />
      <SubmitButton label="Login" slowLabel="Logging in…" slow={slow} />
    </form>
  )
}
