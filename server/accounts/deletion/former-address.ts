import { createHmac } from 'node:crypto'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'

/** How long a deleted account's address is remembered, so that a new account gets no second free call. */
export const formerAddressDays = 365

/** Keyed hash, so that the database reveals no addresses. */
export function formerAddressOf({ keys }: Pick<Services, 'keys'>, email: string): Uint8Array {
  return createHmac('sha256', keys.origin).update(`former address ${email}`).digest()
}

/**
 * Gives a new account of a former address no second free call and no referral; a block stays. Call only once the
 * address is confirmed, because this reveals its former user's state.
 */
export async function inherit(tx: Db, services: Services, userId: string, email: string): Promise<void> {
  await tx.query(
    `update app_user set came_back = true, free_call = case when former.used then 'used' else free_call end,
       can_call = can_call and former.reason is null, blocked_reason = coalesce(blocked_reason, former.reason)
     from (select bool_or(free_call <> 'available') as used, max(blocked_reason) as reason
       from app_user where former_address = $2 having count(*) > 0) former
     where id = $1`,
    [userId, formerAddressOf(services, email)],
  )
}
