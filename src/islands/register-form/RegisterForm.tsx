import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { ErrorBody } from '#lib/api/errors.ts'
import { emailAddress, minPasswordLength, password } from '#lib/rules/account.ts'
import { goInstead } from '#stores/navigation.ts'
import { watchReferral } from '#stores/referral.ts'
import { register } from '#stores/registration.ts'
import { $session, start } from '#stores/session.ts'
import { rememberWish, takeWish } from '#stores/wish.ts'
import { faultOf, focusFirstFault, textOf } from '../field/check.ts'
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

/** The server may know better what is wrong with a field, as with a password that everybody uses. */
function faultsFrom(body: ErrorBody | null, message: string): Faults {
  const about = (field: string) => body?.errors?.find(fault => fault.field === field)?.message ?? null
  const faults = { email: about('email'), password: about('password') }
  return { ...faults, form: faults.email === null && faults.password === null ? message : null }
}

export interface RegisterFormProps {
  /** The global under which the page's referral script leaves its value. */
  readonly referralValue: string
}

export function RegisterForm({ referralValue }: RegisterFormProps) {
  const session = useStore($session, { ssr: 'initial' })
  const [faults, setFaults] = useState(noFaults)
  const { slow, run } = useBusy()

  useEffect(() => {
    rememberWish(window.location.href)
    void start()
  }, [])
  useEffect(() => watchReferral(referralValue), [referralValue])
  useEffect(() => {
    if (session.status === 'signed_in') goInstead(takeWish(window.location.href, '/call'))
  }, [session.status])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email')
    const secret = textOf(form, 'password')
    const found = { email: faultOf(emailAddress, email), password: faultOf(password, secret), form: null }
    setFaults(found)
    if (found.email !== null || found.password !== null) return focusFirstFault(form)
    run(async () => {
      const result = await register(email.trim(), secret)
      if (result.ok) return 'keep'
      setFaults(faultsFrom(result.body, result.message))
      focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h1>Your first call is free</h1>
      <p className="soft">All we need is an e-mail address. No card.</p>
      <EmailField
        id="register-email"
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
      <FormNote message={faults.form} />
      <SubmitButton label="Register" slowLabel="Registering…" slow={slow} />
    </form>
  )
}
