import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { emailAddress } from '#lib/account/account.ts'
import { resendConfirmation } from '#shared/sign-up/register.ts'
import { secondsUntilResend } from '#shared/sign-up/sent-mail.ts'
import { faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { EmailField } from '#ui/EmailField.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { $sentMail, recallSentMail } from './registration.ts'
import styles from './resend-form.module.css'
import { texts } from './send-again-texts.ts'

export function ResendForm() {
  const element = useRef<HTMLFormElement>(null)
  const [done, setDone] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()

  // The address that this tab registered, unless something was typed before hydration.
  useEffect(() => {
    recallSentMail()
    const input = element.current?.querySelector('input')
    if (input?.value === '') input.value = $sentMail.get()?.email ?? ''
  }, [])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = textOf(form, 'email')
    const found = faultOf(emailAddress, email)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    if (formError.holds(email.trim())) return formError.remind()
    const sent = $sentMail.get()
    const waitSeconds = sent?.email === email.trim() ? secondsUntilResend(sent, Date.now()) : 0
    if (done && waitSeconds > 0) {
      const retryAfterMs = waitSeconds * 1000
      return formError.showError({ message: texts.tooSoon, retryAfterMs }, email.trim())
    }
    run(async () => {
      formError.clear()
      const result = await resendConfirmation(email.trim())
      setDone(result.ok)
      if (!result.ok) formError.showError(result, email.trim())
      return 'done'
    })
  }

  return (
    <form ref={element} className={styles.form} method="post" noValidate onSubmit={submit}>
      <EmailField id="resend-email" fault={fault} onCheck={value => setFault(faultOf(emailAddress, value))} />
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <p role="status" className={done ? 'small' : 'sr'}>
        {done && texts.newLinkSent}
      </p>
      <SubmitButton
        label={texts.newLink}
        slowLabel={texts.sending}
        slow={slow}
        className="btn primary wide"
      />
    </form>
  )
}
