import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { CallRow } from '../rows.ts'
import { settleCall, settleLostCall } from '../settlement/settle.ts'
import { askSoon, pastLimitMs } from '../settlement/unconfirmed-end.ts'
import { callAnswered, longestRingSeconds } from './progress.ts'

/** Age at which a call on a shared network is first polled: most of its events have arrived by then. */
export const firstInquiryMs = 20_000

/** A call of this age that the network does not know will never appear there: the network learns of a call before it rings. */
const unknownGraceMs = minuteMs

/** An impossible or incomplete end is polled until the last sign of life is this old: the network's list may lag by seconds. */
const unconfirmedMs = 5 * minuteMs

/** A carrier ends calls at their limit and max ring time. One listed as live this long after that is stuck, and is ignored. */
const stuckAfterMs = minuteMs

/** Calls polled in parallel, and batches per turn. */
const atOnce = 20
const maxBatches = 20

/** Claims due calls. Next poll: if answered just after the limit, else at twice the age, at most 4 minutes later. */
const claimDue = `
update call set inquire_at = (
  select min(at) from (values
    (case when not $2 or coalesce(answered_at + (limit_ms + ${pastLimitMs}) * interval '1 millisecond' <= $1, true) then
       $1::timestamptz + least(greatest($1::timestamptz - placed_at, interval '20 seconds'), interval '4 minutes') end),
    (answered_at + (limit_ms + ${pastLimitMs}) * interval '1 millisecond')) as times (at)
  where at > $1)
where id in (
  select id from call where carrier_leg is not null and state <> 'ended' and inquire_at <= $1
  order by inquire_at, id limit ${atOnce} for update skip locked)
returning id, state, placed_at, heartbeat_at, answered_at, limit_ms`

type Claimed = Pick<CallRow, 'id' | 'state' | 'placed_at' | 'heartbeat_at' | 'answered_at' | 'limit_ms'>

/**
 * Polls a shared network about live calls without recent events, and settles those that are over: events may be lost.
 * Each call is claimed by one process. An unreachable network is polled again; the carrier enforces the limit.
 * @returns how many were settled
 */
export async function inquireAboutCalls(services: Services): Promise<number> {
  if (services.telephony.carriage !== 'shared') return 0
  let settled = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const isSwept = services.telephony.listLive !== undefined
    const claimed = await services.db.query<Claimed>(claimDue, [services.clock.now(), isSwept])
    const results = await Promise.all(claimed.map(call => inquire(services, call)))
    settled += results.filter(Boolean).length
    if (claimed.length < atOnce) break
  }
  return settled
}

async function inquire(services: Services, call: Claimed): Promise<boolean> {
  try {
    const known = await services.telephony.inspect(call.id)
    switch (known.kind) {
      case 'live':
        if (isStuck(services, call, known.answeredMs)) return await settleUnconfirmed(services, call.id)
        if (known.answeredMs !== null && call.state !== 'answered')
          await callAnswered(services, call.id, answeredSince(services, call, known.answeredMs))
        await noteAlive(services, call.id, known.answeredMs)
        if (isPastLimit(services, call)) await hangUpAtLimit(services, call.id)
        return false
      case 'ended':
        if (await settleCall(services, { callId: call.id, answeredMs: known.answeredMs, end: known.end }))
          return true
        return known.answeredMs === null && (await settleUnconfirmed(services, call.id))
      case 'over':
        return await settleUnconfirmed(services, call.id)
      case 'unknown':
        return await settleLostCall(
          services,
          call.id,
          ({ placed_at }) => services.clock.now().getTime() - placed_at.getTime() >= unknownGraceMs,
        )
    }
  } catch (error) {
    services.log.error({ err: error, callId: call.id }, 'asking about a call failed')
    return false
  }
}

/** The carrier should have ended the call at its limit; we hang it up if not. The margin allows for clock differences. */
function isPastLimit({ clock }: Services, { answered_at: answeredAt, limit_ms: limitMs }: Claimed): boolean {
  return answeredAt !== null && clock.now().getTime() >= answeredAt.getTime() + limitMs + pastLimitMs
}

/** `enforce-carrier-calls.ts` hangs up, repeatedly, until the call has ended. A limit raised in the meantime holds. */
async function hangUpAtLimit({ db, clock }: Services, callId: string): Promise<void> {
  await db.query(
    `update call set hang_up = coalesce(hang_up, 'limit') where id = $1 and state <> 'ended'
       and answered_at + (limit_ms + ${pastLimitMs}) * interval '1 millisecond' <= $2`,
    [callId, clock.now()],
  )
}

/** @param reportedMs answered time as the network reports it; null: not answered */
function isStuck(
  { clock }: Services,
  { answered_at: answeredAt, placed_at: placedAt, limit_ms: limitMs }: Claimed,
  reportedMs: number | null,
): boolean {
  // The limit counts from an answer that has not been reported yet.
  if (answeredAt === null && reportedMs !== null) return false
  const overMs =
    answeredAt === null ? placedAt.getTime() + longestRingSeconds * 1000 : answeredAt.getTime() + limitMs
  return clock.now().getTime() > overMs + stuckAfterMs
}

/** At most the time since the call was last seen unanswered, because a network may count from dialling. */
function answeredSince({ clock }: Services, call: Claimed, answeredMs: number): number {
  const seen = call.heartbeat_at ?? call.placed_at
  return Math.max(0, Math.min(answeredMs, clock.now().getTime() - seen.getTime()))
}

async function settleUnconfirmed(services: Services, callId: string): Promise<boolean> {
  const { db, clock } = services
  const settled = await settleLostCall(
    services,
    callId,
    ({ heartbeat_at, placed_at }) =>
      clock.now().getTime() - (heartbeat_at ?? placed_at).getTime() >= unconfirmedMs,
  )
  if (!settled) await askSoon(db, clock, callId)
  return settled
}

/** Records a sign of life; if the network later forgets the call, it is settled to this moment. */
async function noteAlive({ db, clock }: Services, callId: string, answeredMs: number | null): Promise<void> {
  await db.query(
    `update call set heartbeat_at = $2, alive_ms = case when $3::bigint is null then alive_ms else greatest(alive_ms,
       least($3::bigint, (extract(epoch from $2::timestamptz - answered_at) * 1000)::bigint)) end
     where id = $1 and state <> 'ended'`,
    [callId, clock.now(), answeredMs],
  )
}
