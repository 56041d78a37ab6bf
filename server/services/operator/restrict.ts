import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import { findUserByEmail, lockUser } from '../users.ts'
import { audit } from './audit.ts'

export interface Restriction {
  readonly email: string
  /** When blocking, its user reads it. */
  readonly reason: string
  readonly actor: string
}

export type RestrictRefusal = 'unknown_account' | 'missing_reason' | 'long_reason' | 'stands_already'

const longestReason = 300

/**
 * Keeps an account from calling, or lets it call again. Calls that run are hung up by the next heartbeat of the process
 * that carries them, in 5 s. The balance stays. A block by a dispute may be lifted
 * too, and then stays lifted however that dispute goes on (`payments/refunds.ts`).
 */
export async function restrictAccount(
  services: Services,
  action: 'block' | 'unblock',
  { email, reason, actor }: Restriction,
): Promise<Result<{ credits: number }, RestrictRefusal>> {
  const words = reason.replace(/\s+/g, ' ').trim()
  if (words === '') return failure('missing_reason')
  if (words.length > longestReason) return failure('long_reason')
  const found = await findUserByEmail(services.db, email)
  if (found === undefined) return failure('unknown_account')
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, found.id)
    if (user === undefined) return failure('unknown_account')
    const blocks = action === 'block'
    const before = { canCall: user.can_call, blockedReason: user.blocked_reason }
    if (blocks ? !user.can_call && user.blocked_reason === words : user.can_call) {
      return failure('stands_already')
    }
    await tx.query('update app_user set can_call = $2, blocked_reason = $3 where id = $1', [
      user.id,
      !blocks,
      blocks ? words : null,
    ])
    const at = services.clock.now()
    await audit(tx, { at, actor, action, subject: user.id, detail: { reason: words, before } })
    return success({ credits: user.balance })
  })
}
