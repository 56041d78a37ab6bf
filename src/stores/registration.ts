import { register as registerEndpoint, resendVerification } from '#lib/api/auth.ts'
import { me } from '#lib/api/me.ts'
import { authorised } from './api.ts'
import { go, goInstead } from './navigation.ts'
import { $referralId } from './referral.ts'
import { mailMemory } from './sent-mail.ts'
import { $session, login, logout, start } from './session.ts'
import { type ApiResult, request } from './transport.ts'

const memory = mailMemory('confirmationMail')

/** The last confirmation mail that this tab asked for; null when it asked for none. Written here alone. */
export const $sentMail = memory.$mail
/** Takes up what the page before left in the tab's storage. */
export const recallSentMail = memory.recall

const loginTimeoutMs = 5_000
/** How often a page that waits for a confirmation looks whether it has come, and for how long it does. */
const lookEveryMs = 5_000
const looks = 120
/** Of a mail that another tab asked for: it can be sent again at once. */
const longAgo = 0

/**
 * Registers and goes on to `/check-email`, which shows the address. The answer never tells whether it is taken.
 *
 * This browser is then signed in with what was typed, so that nobody has to type it again once the address is
 * confirmed, in whatever tab or on whatever device the link is opened. That link itself signs nobody in: a link that a
 * stranger sends leads nobody into the stranger's account. Where the address had an account with another password,
 * nothing happens here and the mail says the rest.
 */
export async function register(email: string, password: string): Promise<ApiResult<typeof registerEndpoint>> {
  const result = await request(registerEndpoint, {
    body: { email, password, referralId: $referralId.get() },
  })
  if (result.ok) {
    memory.remember(email)
    await login(email, password, { timeoutMs: loginTimeoutMs })
    go('/check-email')
  }
  return result
}

/** Asks for the confirmation mail again. */
export async function resend(email: string): Promise<ApiResult<typeof resendVerification>> {
  const result = await request(resendVerification, { body: { email } })
  if (result.ok) memory.remember(email)
  return result
}

/** Gives up the address that was registered, and begins anew with another one. */
export async function registerAnother(): Promise<void> {
  memory.forget()
  await start()
  if ($session.get().status === 'signed_in') await logout()
  go('/register')
}

/**
 * While a signed-in page waits for the confirmation: goes on to `/email-verified` once the link was opened, be it on
 * another device.
 * @param onAddress told when the account has said which address it is that this tab knew nothing of
 * @returns ends the waiting
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
      memory.forget()
      goInstead('/email-verified')
    } else if ($sentMail.get() === null) {
      memory.remember(email, longAgo)
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
