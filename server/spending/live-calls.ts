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
 * Has a user's live calls hung up: by `enforceCarrierCalls` on a shared network, otherwise by a process's heartbeat.
 * Call in the transaction that blocks the user, with the user locked.
 */
export async function endLiveCalls(tx: Db, userId: string, why: HangUpReason): Promise<void> {
  await tx.query(
    `update call set hang_up = coalesce(hang_up, $2) where id in (
       select id from call where user_id = $1 and state <> 'ended' and carrier_leg is not null order by id for update)`,
    [userId, why],
  )
}
