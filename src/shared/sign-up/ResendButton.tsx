import { useEffect } from 'react'
import { useBusy } from '#ui/use-busy.ts'
import { confirmationMail, resendConfirmation } from './register.ts'
import { askedAgainText, secondsUntilResend } from './sent-mail.ts'

export interface ResendOutcome {
  readonly type: 'info' | 'success' | 'error'
  readonly message: string
}

export interface ResendButtonProps {
  readonly email: string
  readonly label: string
  readonly onOutcome: (outcome: ResendOutcome) => void
}

/** Sends the confirmation e-mail again, or says how long to wait. */
export function ResendButton({ email, label, onOutcome }: ResendButtonProps) {
  const { slow, run } = useBusy()
  useEffect(confirmationMail.recall, [])
  const send = async (): Promise<ResendOutcome> => {
    const waitSeconds = secondsUntilResend(confirmationMail.$mail.get(), Date.now())
    if (waitSeconds > 0)
      return { type: 'info', message: `A link is on its way. You can send another in ${waitSeconds} s.` }
    const result = await resendConfirmation(email)
    return result.ok
      ? { type: 'success', message: askedAgainText }
      : { type: 'error', message: result.message }
  }
  const press = () =>
    run(async () => {
      onOutcome(await send())
      return 'done'
    })
  return (
    <button type="button" onClick={press}>
      {slow ? 'Sending…' : label}
    </button>
  )
}
