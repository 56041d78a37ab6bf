import { lineCheckLimit } from '../policy.ts'
import type { VoiceCredential } from '../telephony/port.ts'
import { type BrowserOrigin, noteOrigin } from './calls/origin.ts'
import type { Services } from './context.ts'
import { take } from './throttle.ts'
import { findUser } from './users.ts'

export type LineCheckRefusal = 'call_blocked' | 'email_unverified' | 'unauthorized'

export type LineCheckIssue =
  | ({ readonly kind: 'issued' } & VoiceCredential)
  | { readonly kind: 'refused'; readonly code: LineCheckRefusal }
  | { readonly kind: 'too_many'; readonly waitMs: number }

/**
 * A credential to try the line with. Credits are not asked for: the call reaches nobody. It is a voice token like any
 * other, so where its owner calls from is written down as for any other, and what it may call is decided at each call.
 */
export async function issueLineCheckToken(
  services: Services,
  userId: string,
  origin: BrowserOrigin,
): Promise<LineCheckIssue> {
  const code = await refusalOf(services, userId)
  if (code !== undefined) return { kind: 'refused', code }
  const waitMs = await take(services, { name: 'line check token', subject: userId, limit: lineCheckLimit })
  if (waitMs > 0) return { kind: 'too_many', waitMs }
  await noteOrigin(services, userId, origin)
  return { kind: 'issued', ...(await services.telephony.issueVoiceToken(userId)) }
}

/** Whether a browser may try its line now: asked of each such call, since a token serves more than one. */
export async function admitLineCheck(services: Services, userId: string): Promise<boolean> {
  if ((await refusalOf(services, userId)) !== undefined) return false
  const waitMs = await take(services, { name: 'line check', subject: userId, limit: lineCheckLimit })
  return waitMs === 0
}

async function refusalOf({ db }: Services, userId: string): Promise<LineCheckRefusal | undefined> {
  const user = await findUser(db, userId)
  if (user === undefined) return 'unauthorized'
  if (!user.can_call) return 'call_blocked'
  return user.email_verified_at === null ? 'email_unverified' : undefined
}
