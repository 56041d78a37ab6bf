import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { emailAddress } from '#lib/rules/account.ts'
import { requestReset } from '#stores/reset-password.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '../field/check.ts'
import { EmailField } from '../field/EmailField.tsx'
import { FormNote } from '../field/FormNote.tsx'
import { useRefusal } from '../field/use-refusal.ts'
import { SubmitButton } from '../submit-button/SubmitButton.tsx'
import { useBusy } from '../submit-button/useBusy.ts'

/** The field of the address. */
export const linkEmailId = 'forgot-email'

export interface AskForLinkProps {
  /** The address of whoever is signed in; null for a visitor, and until it is known. */
  readonly known?: string | null
  readonly children?: ReactNode
}

/** A form for the address, with a button that sends a link for a new password to it. */
export function AskForLink({ known = null, children }: AskForLinkProps) {
  const element = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const refusal = useRefusal()
  const { slow, run } = useBusy()

  // What was typed meanwhile stays.
  useEffect(() => {
    const input = element.current?.querySelector<HTMLInputElement>('[name=email]')
    if (known !== null && input?.value === '') input.value = known
  }, [known])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email').trim()
    const found = faultOf(emailAddress, email)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    if (refusal.holds(email)) return refusal.remind()
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
    <form ref={element} method="post" noValidate onSubmit={submit}>
      {children}
      <EmailField
        id={linkEmailId}
        autoComplete="username"
        fault={fault}
        onCheck={value => setFault(faultOf(emailAddress, value))}
      />
      <FormNote message={refusal.message} waitSeconds={refusal.waitSeconds} reminder={refusal.reminder} />
      <SubmitButton label="Send the link" slowLabel="Sending…" slow={slow} />
    </form>
  )
}
