import type { Services } from '../context.ts'
import { askSoon } from './doubt.ts'
import { callAnswered } from './progress.ts'
import type { CallRow } from './rows.ts'
import { settleCall, settleLostCall } from './settle.ts'

/** A call on a shared network is asked about when it is so old: by then most of what will be told of it was told. */
export const firstInquiryMs = 20_000

/** A network that does not know a call so old never will: it learns of one before it rings. */
const unknownGraceMs = 60_000

/**
 * An end that cannot be right, or of which too little is told, is asked about again until the last sign of life is so old:
 * what the network lists may lag behind by seconds.
 */
const doubtMs = 5 * 60_000

/** Calls asked about at once, and how often in one turn. */
const atOnce = 20
const mostBatches = 20

/**
 * Claims what is due. Asked again when the call has become twice as old, after 4 minutes at most, and in any case soon
 * after its limit, when it must be over.
 */
const claimDue = `
update call set inquire_at = (
  select min(at) from (values
    ($1::timestamptz + least(greatest($1::timestamptz - placed_at, interval '20 seconds'), interval '4 minutes')),
    (answered_at + limit_ms * interval '1 millisecond' + interval '15 seconds')) as times (at)
  where at > $1)
where id in (
  select id from call where carrier_leg is not null and state <> 'ended' and inquire_at <= $1
  order by inquire_at, id limit ${atOnce} for update skip locked)
returning id, state, placed_at, heartbeat_at`

type Claimed = Pick<CallRow, 'id' | 'state' | 'placed_at' | 'heartbeat_at'>

/**
 * Asks a shared network about live calls of which nothing was heard for a while, and settles those that are over: what it
 * tells of itself may be lost. Any number of processes do it at once, each call asked about by one. Where the network
 * cannot be reached a call is left as it is, since its limit holds without us, and asked about again. A process whose calls
 * another network carries asks nothing.
 * @returns how many were settled.
 */
export async function inquireAboutCalls(services: Services): Promise<number> {
  if (services.telephony.carriage !== 'shared') return 0
  let settled = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const claimed = await services.db.query<Claimed>(claimDue, [services.clock.now()])
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
        if (known.answeredMs !== null && call.state !== 'answered')
          await callAnswered(services, call.id, answeredSince(services, call, known.answeredMs))
        await noteAlive(services, call.id, known.answeredMs)
        return false
      case 'ended':
        if (await settleCall(services, { callId: call.id, answeredMs: known.answeredMs, end: known.end }))
          return true
        return known.answeredMs === null && (await settleDoubtful(services, call.id))
      case 'over':
        return await settleDoubtful(services, call.id)
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

/**
 * How long ago a call was answered of which that was never told: a network may count from the dialling, so not before it
 * was last seen without an answer.
 */
function answeredSince({ clock }: Services, call: Claimed, answeredMs: number): number {
  const seen = call.heartbeat_at ?? call.placed_at
  return Math.max(0, Math.min(answeredMs, clock.now().getTime() - seen.getTime()))
}

async function settleDoubtful(services: Services, callId: string): Promise<boolean> {
  const { db, clock } = services
  const settled = await settleLostCall(
    services,
    callId,
    ({ heartbeat_at, placed_at }) => clock.now().getTime() - (heartbeat_at ?? placed_at).getTime() >= doubtMs,
  )
  if (!settled) await askSoon(db, clock, callId)
  return settled
}

/** The moment to which the call is settled should the network forget it, and a sign of life for who looks at the books. */
async function noteAlive({ db, clock }: Services, callId: string, answeredMs: number | null): Promise<void> {
  await db.query(
    `update call set heartbeat_at = $2, alive_ms = case when $3::bigint is null then alive_ms else greatest(alive_ms,
       least($3::bigint, (extract(epoch from $2::timestamptz - answered_at) * 1000)::bigint)) end
     where id = $1 and state <> 'ended'`,
    [callId, clock.now(), answeredMs],
  )
}
