import { useEffect } from 'react'
import { useBusy } from '#ui/use-busy.ts'
import { confirmationMail, resendConfirmation } from './register.ts'
import { secondsUntilResend } from './sent-mail.ts'
import { texts } from './sent-mail-texts.ts'

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
    if (waitSeconds > 0) return { type: 'info', message: texts.onItsWay({ seconds: waitSeconds }) }
    const result = await resendConfirmation(email)
    return result.ok
      ? { type: 'success', message: texts.askedAgain }
      : { type: 'error', message: result.message }
  }
  const press = () =>
    run(async () => {
      onOutcome(await send())
      return 'done'
    })
  return (
    <button type="button" onClick={press}>
      {slow ? texts.sending : label}
    </button>
  )
}
