import { createHmac } from 'node:crypto'
import type { Db } from '../../db/port.ts'
import type { Services } from '../context.ts'

/** How long we know that an address had an account here: what is given once is not given again so soon. */
export const formerAddressDays = 365

/** An address as a deleted account keeps it: hashed with a key, so that the database tells nobody's address. */
export function formerAddressOf({ keys }: Pick<Services, 'keys'>, email: string): Uint8Array {
  return createHmac('sha256', keys.origin).update(`former address ${email}`).digest()
}

/**
 * Lets a new account begin as a deleted one of its address ended: who deletes an account and comes back has no second free
 * call, is nobody's referral, and stays blocked if they were. Once its address is confirmed, as it tells of who had it
 * before.
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
