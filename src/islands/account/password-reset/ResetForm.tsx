import { type SubmitEvent, useState } from 'react'
import { minPasswordLength, password } from '#lib/account/account.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { resetPassword } from './reset-password.ts'
import { texts } from './texts.ts'

/** Asks for the new password once: it can be revealed, so it need not be repeated. */
export function ResetForm({ email }: { readonly email: string | null }) {
  const [fault, setFault] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const secret = textOf(form, 'password')
    const found = faultOf(password, secret)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    if (formError.holds()) return formError.remind()
    run(async () => {
      formError.clear()
      const result = await resetPassword(secret)
      if (result.ok || result.code === 'second_factor_required') return 'keep'
      const wrong = faultAbout('password', result.body)
      setFault(wrong)
      if (wrong === null) formError.showError(result)
      else focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h1>{texts.choose}</h1>
      <p className="soft">
        {email !== null && <>{texts.forAddress({ email, b: address => <b key="address">{address}</b> })} </>}
        {texts.othersLoggedOut}
      </p>
      {email !== null && (
        // Tells password managers which account the password belongs to.
        <input
          className="sr"
          type="email"
          name="username"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      <PasswordField
        id="reset-password"
        label={texts.newPassword}
        hint={texts.hint({ length: minPasswordLength })}
        autoComplete="new-password"
        fault={fault}
        onCheck={value => setFault(faultOf(password, value))}
      />
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <SubmitButton label={texts.save} slowLabel={texts.saving} slow={slow} />
    </form>
  )
}
