import { register as registerEndpoint, resendVerification } from '#lib/api/auth.ts'
import { me } from '#lib/api/me.ts'
import { authorised } from '#session/api.ts'
import { go, goInstead } from '#session/navigation.ts'
import { $session, login, logout, start } from '#session/session.ts'
import { type ApiResult, request } from '#session/transport.ts'
import { $referralId } from '#shared/referral-code.ts'
import { mailMemory } from './sent-mail.ts'

const memory = mailMemory('confirmationMail')

/** The last confirmation e-mail that this tab requested; null if none. */
export const $sentMail = memory.$mail
export const recallSentMail = memory.recall

const loginTimeoutMs = 5_000
/** How often, and for how long, a waiting page checks for the confirmation. */
const lookEveryMs = 5_000
const looks = 120
/** For an e-mail that another tab requested: it can be sent again at once. */
const longAgo = 0

/**
 * Registers and goes to `/check-email`. The answer never reveals whether the address is taken. This browser then signs
 * in with the typed password, so that nobody has to type it again, whichever device opens the link. The link itself
 * signs nobody in: otherwise a stranger's link could lead someone into the stranger's account. If the address has an
 * account with another password, nothing happens here and the e-mail explains.
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

export async function resend(email: string): Promise<ApiResult<typeof resendVerification>> {
  const result = await request(resendVerification, { body: { email } })
  if (result.ok) memory.remember(email)
  return result
}

export async function registerAnother(): Promise<void> {
  memory.forget()
  await start()
  if ($session.get().status === 'signed_in') await logout()
  go('/register')
}

/**
 * Polls until the link was opened, on any device, then goes to `/email-verified`.
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
