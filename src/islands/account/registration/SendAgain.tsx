import { useState } from 'react'
import type { ApiFailure } from '#session/transport.ts'
import { type SentMail, secondsUntilResend } from '#shared/sign-up/sent-mail.ts'
import { texts as sentMail } from '#shared/sign-up/sent-mail-texts.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { useNow } from '#ui/use-now.ts'
import styles from './resend-form.module.css'
import { texts } from './send-again-texts.ts'

export interface SendAgainProps {
  readonly sent: SentMail
  readonly send: (email: string) => Promise<{ readonly ok: true } | ApiFailure<string>>
}

/** A button that resends a mail after a delay. The countdown is visible, but not read out. */
export function SendAgain({ sent, send }: SendAgainProps) {
  const [counting, setCounting] = useState(true)
  const nowMs = useNow(counting)
  const left = secondsUntilResend(sent, Math.max(nowMs, sent.atMs))
  if (counting !== left > 0) setCounting(left > 0)
  const formError = useFormError()
  const { slow, run } = useBusy()
  const [message, setMessage] = useState('')

  const sendAgain = () => {
    if (left > 0) return setMessage(texts.wait({ seconds: left }))
    if (formError.holds()) return formError.remind()
    run(async () => {
      formError.clear()
      const result = await send(sent.email)
      setMessage(result.ok ? sentMail.askedAgain : '')
      if (!result.ok) formError.showError(result)
      return 'done'
    })
  }

  const label = () => {
    if (slow) return texts.sending
    if (left === 0) return texts.sendAgain
    return texts.sendAgainIn({
      seconds: left,
      wait: text => (
        <span key="wait" aria-hidden="true">
          {text}
        </span>
      ),
    })
  }

  return (
    <div className={styles['again']}>
      <p role="status" className={message === '' ? 'sr' : ''}>
        {message}
      </p>
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      <button
        type="button"
        className="btn num"
        aria-disabled={left > 0 || slow || undefined}
        onClick={sendAgain}
      >
        {label()}
      </button>
    </div>
  )
}
