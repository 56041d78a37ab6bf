import { type ReactNode, type SubmitEvent, useLayoutEffect, useState } from 'react'
import { emailAddress, minPasswordLength, password } from '#lib/account/account.ts'
import type { ErrorBody } from '#lib/api/errors.ts'
import { watchReferral } from '#shared/referral-code.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { EmailField } from '#ui/EmailField.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { GoogleButton } from './GoogleButton.tsx'
import { register } from './register.ts'
import { texts } from './texts.ts'

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

export interface SignUpFormProps {
  /** Name of the global in which the referral script stores its value. */
  readonly referralValue: string
  /** Registering also signs in; called with true before, and with false if nothing came of it. */
  readonly onRegistering?: (registering: boolean) => void
  readonly className?: string
  /** The heading and what stands below it. */
  readonly children: ReactNode
}

/** E-mail and password, or Google. Once registered, the browser goes to `/check-email`. */
export function SignUpForm({ referralValue, onRegistering, className, children }: SignUpFormProps) {
  const [faults, setFaults] = useState(noFaults)
  const formError = useFormError()
  const { slow, run } = useBusy()

  // Before the effect of the button, which may submit at once.
  useLayoutEffect(() => watchReferral(referralValue), [referralValue])

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
      onRegistering?.(true)
      const result = await register(email.trim(), secret)
      if (result.ok) return 'keep'
      onRegistering?.(false)
      const refused = faultsFrom(result.body)
      setFaults(refused ?? noFaults)
      if (refused === null) formError.showError(result, email.trim())
      else focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form className={className} method="post" noValidate onSubmit={submit}>
      {children}
      <GoogleButton />
      <EmailField
        id="register-email"
        autoComplete="username"
        fault={faults.email}
        onCheck={value => setFaults(now => ({ ...now, email: faultOf(emailAddress, value) }))}
      />
      <PasswordField
        id="register-password"
        hint={texts.passwordHint({ length: minPasswordLength })}
        autoComplete="new-password"
        fault={faults.password}
        onCheck={value => setFaults(now => ({ ...now, password: faultOf(password, value) }))}
      />
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <SubmitButton label={texts.register} slowLabel={texts.registering} slow={slow} />
    </form>
  )
}
