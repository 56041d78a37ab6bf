import type { CallPurpose } from '#lib/api/calls.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { cheapestRate } from '#lib/rules/tariff.ts'
import type { VoiceCredential } from '../telephony/port.ts'
import { type BrowserOrigin, noteOrigin } from './calls/origin.ts'
import { countLiveCalls } from './calls/rows.ts'
import type { Services } from './context.ts'
import { findUser } from './users.ts'

export type VoiceTokenRefusal = 'call_blocked' | 'email_unverified' | 'no_credits' | 'unauthorized'

/**
 * A credential for the voice client (specification section 7). 402 when neither a free call nor a minute
 * of the cheapest destination is left; what a given number costs is decided when it is called. Whoever is
 * in a call gets one all the same: the call goes on, and a second one is refused as such. For a test call, which costs
 * nothing, credits are not asked for.
 */
export async function issueVoiceToken(
  services: Services,
  userId: string,
  origin: BrowserOrigin,
  purpose: CallPurpose = 'call',
): Promise<Result<VoiceCredential, VoiceTokenRefusal>> {
  const user = await findUser(services.db, userId)
  if (user === undefined) return failure('unauthorized')
  if (!user.can_call) return failure('call_blocked')
  if (user.email_verified_at === null) return failure('email_unverified')
  const canPay =
    purpose === 'test' || user.free_call !== 'used' || user.balance >= cheapestRate(services.tariff)
  if (!canPay && (await countLiveCalls(services.db, userId)) === 0) return failure('no_credits')
  await noteOrigin(services, userId, origin)
  const credential = await services.telephony.issueVoiceToken(userId)
  services.observe?.({ kind: 'voice_token_issued' })
  return success(credential)
}
