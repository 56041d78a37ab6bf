import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { firstInquiryMs } from './poll-carrier.ts'

/** Interval of the sweep, and so the max delay until an unreported end is found. */
export const sweepMs = minuteMs

/**
 * Schedules a poll of each call whose state at a shared network differs from ours, since its events were lost. Any
 * number of processes may call this; one does it. @returns how many calls are to be polled
 */
export async function sweepCalls({ db, clock, telephony, log }: Services): Promise<number> {
  if (telephony.listLive === undefined) return 0
  const now = clock.now()
  // The network may not know or list younger calls yet.
  const placedBefore = new Date(now.getTime() - firstInquiryMs)
  const claimed = await db.query(
    `update carrier_sweep set swept_at = $1 where swept_at <= $2 and exists (
       select 1 from call where carrier_leg is not null and state <> 'ended' and placed_at <= $3) returning single`,
    [now, new Date(now.getTime() - sweepMs), placedBefore],
  )
  if (claimed.length === 0) return 0
  const live = await telephony.listLive().catch((error: unknown) => {
    log.error({ err: error }, 'listing the running calls failed')
  })
  if (live === undefined) return 0
  const { legs, answeredLegs } = live
  // Ordered as a top-up locks them. A call listed past its limit may be stuck there, so that is no sign of life.
  await db.query(
    `update call set heartbeat_at = $1, alive_ms = greatest(alive_ms, (extract(epoch from $1::timestamptz - answered_at) * 1000)::bigint)
     where id in (
       select id from call where carrier_leg = any($2::text[]) and state = 'answered'
         and answered_at + limit_ms * interval '1 millisecond' > $1 order by id for update)`,
    [now, [...answeredLegs]],
  )
  // A separate statement, so that the planner of the update knows how few calls there are and does not scan the table.
  const unconfirmed = await db.query<{ id: string }>(
    `select id from call where carrier_leg is not null and state <> 'ended' and placed_at <= $1
       and case when state = 'answered' then not carrier_leg = any($3::text[])
         else carrier_leg = any($3::text[]) or not carrier_leg = any($2::text[]) end`,
    [placedBefore, [...legs], [...answeredLegs]],
  )
  if (unconfirmed.length === 0) return 0
  const toAsk = await db.query(
    `update call set inquire_at = least(inquire_at, $1) where id in (
       select id from call where id = any($2::uuid[]) and state <> 'ended' order by id for update)
     returning id`,
    [now, unconfirmed.map(({ id }) => id)],
  )
  return toAsk.length
}
