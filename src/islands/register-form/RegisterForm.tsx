import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#lib/api/errors.ts'
import { emailAddress, minPasswordLength, password } from '#lib/rules/account.ts'
import { goOnSignedIn } from '#stores/heard-about.ts'
import { goInstead } from '#stores/navigation.ts'
import { watchReferral } from '#stores/referral.ts'
import { $sentMail, recallSentMail, register } from '#stores/registration.ts'
import { $session, start } from '#stores/session.ts'
import { rememberWish } from '#stores/wish.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '../field/check.ts'
import { EmailField } from '../field/EmailField.tsx'
import { FormNote } from '../field/FormNote.tsx'
import { PasswordField } from '../field/PasswordField.tsx'
import { useRefusal } from '../field/use-refusal.ts'
import { GoogleButton } from '../google-button/GoogleButton.tsx'
import { SubmitButton } from '../submit-button/SubmitButton.tsx'
import { useBusy } from '../submit-button/useBusy.ts'

interface Faults {
  readonly email: string | null
  readonly password: string | null
}

const noFaults: Faults = { email: null, password: null }

/** The server may know better what is wrong with a field, as with a password that everybody uses. */
function faultsFrom(body: ErrorBody | null): Faults | null {
  const faults = { email: faultAbout('email', body), password: faultAbout('password', body) }
  return faults.email === null && faults.password === null ? null : faults
}

/** Back here before the confirmation, somebody wants to see to the mail; later, to go on. */
function leave(): void {
  recallSentMail()
  if ($sentMail.get() === null) goOnSignedIn()
  else goInstead('/check-email')
}

export interface RegisterFormProps {
  /** The global under which the page's referral script leaves its value. */
  readonly referralValue: string
}

export function RegisterForm({ referralValue }: RegisterFormProps) {
  const session = useStore($session, { ssr: 'initial' })
  const [faults, setFaults] = useState(noFaults)
  const refusal = useRefusal()
  const { slow, run } = useBusy()
  /** Registering signs in, and leads on by itself. */
  const registering = useRef(false)

  useEffect(() => {
    rememberWish(window.location.href)
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
    if (refusal.holds(email.trim())) return refusal.remind()
    run(async () => {
      refusal.clear()
      registering.current = true
      const result = await register(email.trim(), secret)
      if (result.ok) return 'keep'
      registering.current = false
      const refused = faultsFrom(result.body)
      setFaults(refused ?? noFaults)
      if (refused === null) refusal.refuse(result, email.trim())
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
      <FormNote message={refusal.message} waitSeconds={refusal.waitSeconds} reminder={refusal.reminder} />
      <SubmitButton label="Register" slowLabel="Registering…" slow={slow} />
    </form>
  )
}
