import type { HangUpReason } from '#lib/calls/call-end.ts'
import type { Db } from '../db/port.ts'

export async function countLiveCalls(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ live: number }>(
    `select count(*)::int as live from call where user_id = $1 and state <> 'ended'`,
    [userId],
  )
  return row?.live ?? 0
}

/**
 * Has a user's live calls hung up: calls on a shared network by the next turn of `enforceCarrierCalls`, calls of a process by its
 * heartbeat, which checks whether the user may call. Runs in the transaction that blocks the user, with the user locked.
 */
export async function endLiveCalls(tx: Db, userId: string, why: HangUpReason): Promise<void> {
  await tx.query(
    `update call set hang_up = coalesce(hang_up, $2) where id in (
       select id from call where user_id = $1 and state <> 'ended' and carrier_leg is not null order by id for update)`,
    [userId, why],
  )
}
