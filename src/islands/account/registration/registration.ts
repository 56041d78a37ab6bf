import { me } from '#lib/api/me.ts'
import { localPath } from '#lib/i18n/path.ts'
import { authorised } from '#session/api.ts'
import { go } from '#session/navigation.ts'
import { keepPendingCall, pendingCall } from '#session/pending-call.ts'
import { $session, logout, start } from '#session/session.ts'
import { giftDraftKey, localStore } from '#session/storage.ts'
import { confirmationMail } from '#shared/sign-up/register.ts'
import { goOnConfirmed } from './go-on-confirmed.ts'

/** The last confirmation e-mail that this tab requested; null if none. */
export const $sentMail = confirmationMail.$mail
export const recallSentMail = confirmationMail.recall

/** How often, and for how long, a waiting page checks for the confirmation. */
const lookEveryMs = 5_000
const looks = 120
/** For an e-mail that another tab requested: it can be sent again at once. */
const longAgo = 0

/** Gives up a mistyped address with its session; the number to call and a booklet begun stay. */
export async function registerAnother(): Promise<void> {
  confirmationMail.forget()
  await start()
  if ($session.get().status === 'signed_in') {
    const [call, draft] = [pendingCall(), localStore.read(giftDraftKey)]
    await logout()
    if (call !== null) keepPendingCall(call)
    if (draft !== null) localStore.write(giftDraftKey, draft)
  }
  go(localPath('/register'))
}

/**
 * Polls until the link was opened, on any device, then leaves for the dialler or `/email-verified`.
 * @param onAddress called when the account has returned an address that this tab did not know
 * @returns stops polling
 */
export function awaitConfirmation(onAddress: () => void): () => void {
  let ended = false
  let left = looks
  const look = async () => {
    if (ended || document.visibilityState === 'hidden') return
    await start()
    if (ended || $session.get().status !== 'signed_in') return
    left -= 1
    const result = await authorised(me, {}, { skipLogoutOnFail: true })
    if (ended || !result.ok) return
    const { email, email_verified: verified } = result.value
    if (verified) {
      confirmationMail.forget()
      goOnConfirmed(true)
    } else if ($sentMail.get() === null) {
      confirmationMail.remember(email, longAgo)
      onAddress()
    }
  }
  const timer = setInterval(() => left > 0 && void look(), lookEveryMs)
  const onVisible = () => void look()
  document.addEventListener('visibilitychange', onVisible)
  void look()
  return () => {
    ended = true
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
