import { useState } from 'react'
import { askedAgainText, type SentMail, secondsUntilResend } from '#stores/sent-mail.ts'
import type { ApiFailure } from '#stores/transport.ts'
import { FormNote } from '../field/FormNote.tsx'
import { useRefusal } from '../field/use-refusal.ts'
import { useNow } from '../patience/use-now.ts'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './resend-form.module.css'

export interface SendAgainProps {
  readonly sent: SentMail
  /** Asks for the mail again. */
  readonly send: (email: string) => Promise<{ readonly ok: true } | ApiFailure<string>>
}

/** A button that asks for a mail again, once some seconds have gone by. They are counted on the screen, not read out. */
export function SendAgain({ sent, send }: SendAgainProps) {
  const [counting, setCounting] = useState(true)
  const nowMs = useNow(counting)
  const left = secondsUntilResend(sent, Math.max(nowMs, sent.atMs))
  if (counting !== left > 0) setCounting(left > 0)
  const refusal = useRefusal()
  const { slow, run } = useBusy()
  const [message, setMessage] = useState('')

  const sendAgain = () => {
    if (left > 0) return setMessage(`It can be sent again in ${left} seconds.`)
    if (refusal.holds()) return refusal.remind()
    run(async () => {
      refusal.clear()
      const result = await send(sent.email)
      setMessage(result.ok ? askedAgainText : '')
      if (!result.ok) refusal.refuse(result)
      return 'done'
    })
  }

  return (
    <div className={styles['again']}>
      <p role="status" className={message === '' ? 'sr' : ''}>
        {message}
      </p>
      <FormNote message={refusal.message} waitSeconds={refusal.waitSeconds} reminder={refusal.reminder} />
      <button
        type="button"
        className="btn num"
        aria-disabled={left > 0 || slow || undefined}
        onClick={sendAgain}
      >
        {slow ? 'Sending…' : 'Send it again'}
        {left > 0 && !slow && <span aria-hidden="true"> in {left} s</span>}
      </button>
    </div>
  )
}
