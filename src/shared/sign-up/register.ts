import { register as registerEndpoint, resendVerification } from '#lib/api/auth.ts'
import { localPath } from '#lib/i18n/path.ts'
import { go } from '#session/navigation.ts'
import { login } from '#session/session.ts'
import { type ApiResult, request } from '#session/transport.ts'
import { $referralId } from '#shared/referral-code.ts'
import { mailMemory } from './sent-mail.ts'

/** The last confirmation e-mail that this tab requested. */
export const confirmationMail = mailMemory('confirmationMail')

const loginTimeoutMs = 5_000

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
    confirmationMail.remember(email)
    await login(email, password, { timeoutMs: loginTimeoutMs })
    go(localPath('/check-email'))
  }
  return result
}

/** Sends the confirmation e-mail again, if the address has an account to confirm. */
export async function resendConfirmation(email: string): Promise<ApiResult<typeof resendVerification>> {
  const result = await request(resendVerification, { body: { email } })
  if (result.ok) confirmationMail.remember(email)
  return result
}
