import type { Clock } from '../../clock.ts'
import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Services } from '../context.ts'
import type { CallRow } from './rows.ts'

/** So soon a shared network is asked what became of a call of which it said too little, in milliseconds. */
const askSoonMs = 5000

/** Has a live call on a shared network asked about within seconds. */
export async function askSoon(db: Db, clock: Clock, callId: string): Promise<void> {
  const now = clock.now().getTime()
  await db.query(
    `update call set inquire_at = least(inquire_at, $2::timestamptz)
     where id = $1 and carrier_leg is not null and state <> 'ended'`,
    [callId, new Date(now + askSoonMs)],
  )
}

/** Whether a shared network tells of an end without an answer, of a call that the books know to have been answered. */
export function isDoubtful(call: CallRow, answeredMs: number | null): boolean {
  return call.carrier_leg !== null && call.answered_at !== null && answeredMs === null
}

/**
 * Has the network asked again about a locked call, instead of believing that nobody answered it. It lasted no longer
 * than until now, which counts where nothing better is ever learnt.
 */
export async function noteDoubt(tx: Db, clock: Clock, call: CallRow): Promise<void> {
  const now = clock.now().getTime()
  const mostMs = Math.max(0, now - (call.answered_at?.getTime() ?? now))
  await tx.query('update call set alive_ms = coalesce(alive_ms, $2) where id = $1', [
    call.id,
    Math.min(mostMs, call.limit_ms),
  ])
  await askSoon(tx, clock, call.id)
}

/**
 * A shared network tells of a call that goes on: one that the books hold for ended is hung up. Late news of one that is
 * over does no harm.
 */
export async function endWhatGoesOn({ db, clock, telephony }: Services, callId: string): Promise<void> {
  if (telephony.carriage !== 'shared') return
  const [ended] = await db.query(
    `select id from call where id = $1 and carrier_leg is not null and state = 'ended'`,
    [callId],
  )
  if (ended !== undefined) await enqueue(db, { kind: 'hang_up', callId }, clock.now())
}
