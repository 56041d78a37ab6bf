import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { emailAddress } from '#lib/account/account.ts'
import { faultAbout, faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { EmailField } from '#ui/EmailField.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { requestReset } from './reset-password.ts'
import { texts } from './texts.ts'

export const linkEmailId = 'forgot-email'

export interface AskForLinkProps {
  /** The signed-in user's address; null for visitors, and until the session is known. */
  readonly known?: string | null
  readonly children?: ReactNode
}

export function AskForLink({ known = null, children }: AskForLinkProps) {
  const element = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()

  // Keeps text typed before the session was known.
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
    if (formError.holds(email)) return formError.remind()
    run(async () => {
      formError.clear()
      const result = await requestReset(email)
      if (result.ok) return 'done'
      const wrong = faultAbout('email', result.body)
      setFault(wrong)
      if (wrong === null) formError.showError(result, email)
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
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <SubmitButton label={texts.sendLink} slowLabel={texts.sending} slow={slow} />
    </form>
  )
}
