import type { CallPurpose } from '#lib/api/calls.ts'
import { cheapestRate } from '#lib/money/tariff.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import { findUser } from '../../identity/users.ts'
import { type BrowserOrigin, noteOrigin } from '../../limits/origin.ts'
import { countLiveCalls } from '../../spending/live-calls.ts'
import type { VoiceCredential } from '../../telephony/port.ts'

export type VoiceTokenRejection = 'call_blocked' | 'email_unverified' | 'no_credits' | 'unauthorized'

/**
 * SPEC-7.9. 402 when neither a free call nor a minute of the cheapest destination is left, except for test calls. A
 * user in a call gets one too; a second call is rejected later. @param sessionId with which the credential ends
 */
export async function issueVoiceToken(
  services: Services,
  userId: string,
  origin: BrowserOrigin,
  purpose: CallPurpose = 'call',
  sessionId?: string,
): Promise<Result<VoiceCredential, VoiceTokenRejection>> {
  const user = await findUser(services.db, userId)
  if (user === undefined) return failure('unauthorized')
  if (!user.can_call) return failure('call_blocked')
  if (user.email_verified_at === null) return failure('email_unverified')
  const canPay =
    purpose === 'test' || user.free_call !== 'used' || user.balance >= cheapestRate(services.tariff)
  if (!canPay && (await countLiveCalls(services.db, userId)) === 0) return failure('no_credits')
  await noteOrigin(services, userId, origin)
  const credential = await services.telephony.issueVoiceToken(userId, sessionId)
  services.observe?.({ kind: 'voice_token_issued' })
  return success(credential)
}
