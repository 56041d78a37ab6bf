import type { Services } from '../../context.ts'
import { sessionIsOver } from '../../identity/sessions-over.ts'
import { findUser, type UserRow } from '../../identity/users.ts'
import {
  type BrowserOrigin,
  type CallerOrigin,
  hashOrigin,
  noteOrigin,
  originOf,
} from '../../limits/origin.ts'
import { type BudgetSpent, type BudgetUse, foresee, reportSpent, reserve } from '../../limits/reserve.ts'
import { personSubjects } from '../../limits/subjects.ts'
import type { VoiceCredential } from '../../telephony/port.ts'

export type LineCheckRejection = 'call_blocked' | 'email_unverified' | 'unauthorized'

export type LineCheckIssue =
  | ({ readonly kind: 'issued' } & VoiceCredential)
  | { readonly kind: 'refused'; readonly code: LineCheckRejection }
  | { readonly kind: 'too_many'; readonly spent: BudgetSpent }

/**
 * Needs no credits: the call reaches nobody. Gives an ordinary voice token, so its origin is recorded. Uses no budget,
 * but is rejected when that is exhausted, so that the page can say why.
 */
export async function issueLineCheckToken(
  services: Services,
  userId: string,
  browser: BrowserOrigin,
  sessionId?: string,
): Promise<LineCheckIssue> {
  const user = await findUser(services.db, userId)
  if (user === undefined) return { kind: 'refused', code: 'unauthorized' }
  const code = rejectionOf(user)
  if (code !== undefined) return { kind: 'refused', code }
  await noteOrigin(services, userId, browser)
  const use = lineCheckUse(services, user, hashOrigin(services, browser))
  const spent = await foresee(services.db, services, use)
  if (spent !== undefined) {
    reportSpent(services, spent)
    return { kind: 'too_many', spent }
  }
  return { kind: 'issued', ...(await services.telephony.issueVoiceToken(userId, sessionId)) }
}

/** Checked for each call, because a token serves several and each costs us a minute. */
export async function admitLineCheck(
  services: Services,
  userId: string,
  sessionId?: string,
): Promise<boolean> {
  if (sessionId !== undefined && (await sessionIsOver(services.db, sessionId))) return false
  const user = await findUser(services.db, userId)
  if (user === undefined || rejectionOf(user) !== undefined) return false
  const origin = await originOf(services.db, userId)
  const use = lineCheckUse(services, user, origin)
  const reserved = await services.db.transaction(tx => reserve(tx, services, [use]))
  if (!reserved.ok) reportSpent(services, reserved.spent)
  return reserved.ok
}

/** From loopback, only the overall daily budget is counted. */
function lineCheckUse(services: Services, user: UserRow, origin: CallerOrigin | undefined): BudgetUse {
  const subjects = origin?.local === true ? {} : personSubjects(services, user, origin)
  return { kind: 'line_check', subjects, costMicroUsd: 0 }
}

function rejectionOf(user: UserRow): Exclude<LineCheckRejection, 'unauthorized'> | undefined {
  if (!user.can_call) return 'call_blocked'
  return user.email_verified_at === null ? 'email_unverified' : undefined
}
