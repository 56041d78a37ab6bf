import { useEffect } from 'react'
import { showToast } from '#session/toasts.ts'
import { $user, loadUser } from '#session/user.ts'
import { confirmationMail, resendConfirmation } from '#shared/sign-up/register.ts'
import { askedAgainText, secondsUntilResend } from '#shared/sign-up/sent-mail.ts'
import { useBusy } from '#ui/use-busy.ts'

/** Sends the confirmation e-mail again. Whoever comes back to the page may have confirmed meanwhile. */
export function SendAgain() {
  const { slow, run } = useBusy()
  useEffect(() => {
    confirmationMail.recall()
    const look = () => {
      if (document.visibilityState === 'visible') void loadUser()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const send = async (): Promise<'done'> => {
    const waitSeconds = secondsUntilResend(confirmationMail.$mail.get(), Date.now())
    if (waitSeconds > 0) {
      showToast({
        type: 'info',
        message: `A link is on its way. You can send another in ${waitSeconds} s.`,
      })
      return 'done'
    }
    const result = await resendConfirmation($user.get()?.email ?? '')
    showToast(
      result.ok ? { type: 'success', message: askedAgainText } : { type: 'error', message: result.message },
    )
    return 'done'
  }
  return (
    <button type="button" onClick={() => run(send)}>
      {slow ? 'Sending…' : 'Send again'}
    </button>
  )
}
