import { type ReactNode, type SubmitEvent, useState } from 'react'
import { emailAddress } from '#lib/rules/account.ts'
import { requestReset } from '#stores/reset-password.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '../field/check.ts'
import { EmailField } from '../field/EmailField.tsx'
import { FormNote } from '../field/FormNote.tsx'
import { useRefusal } from '../field/use-refusal.ts'
import { SubmitButton } from '../submit-button/SubmitButton.tsx'
import { useBusy } from '../submit-button/useBusy.ts'

/** A form for the address, with a button that sends a link for a new password to it. */
export function AskForLink({ children }: { readonly children?: ReactNode }) {
  const [fault, setFault] = useState<string | null>(null)
  const refusal = useRefusal()
  const { slow, run } = useBusy()

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email').trim()
    const found = faultOf(emailAddress, email)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    if (refusal.holds(email)) return
    run(async () => {
      refusal.clear()
      const result = await requestReset(email)
      if (result.ok) return 'done'
      const wrong = faultAbout('email', result.body)
      setFault(wrong)
      if (wrong === null) refusal.refuse(result, email)
      else focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form method="post" noValidate onSubmit={submit}>
      {children}
      <EmailField
        id="forgot-email"
        autoComplete="username"
        fault={fault}
        onCheck={value => setFault(faultOf(emailAddress, value))}
      />
      <FormNote message={refusal.message} waitSeconds={refusal.waitSeconds} />
      <SubmitButton label="Send the link" slowLabel="Sending…" slow={slow} />
    </form>
  )
}
