import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Clock } from '../../process/clock.ts'
import type { CallRow } from '../rows.ts'

/** A call this long past its limit is polled, and hung up if it is still live. Milliseconds. */
export const pastLimitMs = 15_000

/** Delay before polling the carrier about an incompletely reported call, in milliseconds. */
const askSoonMs = 5000

export async function askSoon(db: Db, clock: Clock, callId: string): Promise<void> {
  const now = clock.now().getTime()
  await db.query(
    `update call set inquire_at = least(inquire_at, $2::timestamptz)
     where id = $1 and carrier_leg is not null and state <> 'ended'`,
    [callId, new Date(now + askSoonMs)],
  )
}

/** Whether a shared network reports a call as unanswered that our database has as answered. */
export function isEndUnconfirmed(call: CallRow, answeredMs: number | null): boolean {
  return call.carrier_leg !== null && call.answered_at !== null && answeredMs === null
}

/** Polls again instead of accepting an unanswered end. The time until now counts if nothing better is ever reported. */
export async function markEndUnconfirmed(tx: Db, clock: Clock, call: CallRow): Promise<void> {
  const now = clock.now().getTime()
  const maxMs = Math.max(0, now - (call.answered_at?.getTime() ?? now))
  await tx.query('update call set alive_ms = coalesce(alive_ms, $2) where id = $1', [
    call.id,
    Math.min(maxMs, call.limit_ms),
  ])
  await askSoon(tx, clock, call.id)
}

/** Hangs up a call that a shared network reports as live but our database has as ended. Harmless if the report is late. */
export async function hangUpIfSettled({ db, clock, telephony }: Services, callId: string): Promise<void> {
  if (telephony.carriage !== 'shared') return
  const [ended] = await db.query(
    `select id from call where id = $1 and carrier_leg is not null and state = 'ended'`,
    [callId],
  )
  if (ended !== undefined) await enqueue(db, { kind: 'hang_up', callId }, clock.now())
}
