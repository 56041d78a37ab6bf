import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { endAllSessions } from '../identity/refresh-token.ts'
import { findUserByEmail, lockUser } from '../identity/users.ts'
import { audit } from '../observability/audit.ts'
import { endLiveCalls } from '../spending/live-calls.ts'

export interface Restriction {
  readonly email: string
  /** Shown to the user when blocking. */
  readonly reason: string
  readonly actor: string
  /** Also ends every session, even if the account is already blocked for this reason. */
  readonly signOut?: boolean | undefined
}

export type RestrictRejection = 'unknown_account' | 'missing_reason' | 'long_reason' | 'stands_already'

const longestReason = 300

/** Live calls are hung up within 5 s. A dispute's block that was lifted stays lifted (`server/payments/refunds/refunds.ts`). */
export async function restrictAccount(
  services: Services,
  action: 'block' | 'unblock',
  { email, reason, actor, signOut = false }: Restriction,
): Promise<Result<{ credits: number }, RestrictRejection>> {
  const reasonText = reason.replace(/\s+/g, ' ').trim()
  if (reasonText === '') return failure('missing_reason')
  if (reasonText.length > longestReason) return failure('long_reason')
  const found = await findUserByEmail(services.db, email)
  if (found === undefined) return failure('unknown_account')
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, found.id)
    if (user === undefined) return failure('unknown_account')
    const blocks = action === 'block'
    const before = { canCall: user.can_call, blockedReason: user.blocked_reason }
    const stands = blocks ? !user.can_call && user.blocked_reason === reasonText : user.can_call
    if (stands && !signOut) return failure('stands_already')
    await tx.query('update app_user set can_call = $2, blocked_reason = $3 where id = $1', [
      user.id,
      !blocks,
      blocks ? reasonText : null,
    ])
    if (blocks) await endLiveCalls(tx, user.id, 'call_blocked')
    const at = services.clock.now()
    if (signOut) await endAllSessions(tx, user.id, at)
    const detail = { reason: reasonText, before, ...(signOut && { signOut }) }
    await audit(tx, { at, actor, action, subject: user.id, detail })
    return success({ credits: user.balance })
  })
}

export interface SignOutRequest {
  readonly email: string
  /** The operating system's user. */
  readonly actor: string
}

/** Ends every session. Running calls go on. @returns how many devices were signed out */
export async function signOutAccount(
  services: Services,
  { email, actor }: SignOutRequest,
): Promise<Result<{ devices: number }, 'unknown_account'>> {
  const found = await findUserByEmail(services.db, email)
  if (found === undefined) return failure('unknown_account')
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, found.id)
    if (user?.deleted_at !== null) return failure('unknown_account')
    const at = services.clock.now()
    const devices = await endAllSessions(tx, user.id, at)
    await audit(tx, { at, actor, action: 'sign_out', subject: user.id, detail: { devices } })
    return success({ devices })
  })
}
