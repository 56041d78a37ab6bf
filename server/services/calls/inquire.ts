import type { Services } from '../context.ts'
import { callAnswered } from './progress.ts'
import type { CallRow } from './rows.ts'
import { settleCall, settleLostCall } from './settle.ts'

/** A call on a shared network is asked about when it is so old: by then most of what will be told of it was told. */
export const firstInquiryMs = 20_000

/** A network that does not know a call so old never will: it learns of one before it rings. */
const unknownGraceMs = 60_000

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
returning id, state, placed_at`

type Claimed = Pick<CallRow, 'id' | 'state' | 'placed_at'>

/**
 * Asks a shared network about live calls of which nothing was heard for a while, and settles those that are over: what it
 * tells of itself may be lost. Any number of processes do it at once, each call asked about by one. Where the network
 * cannot be reached a call is left as it is, since its limit holds without us, and asked about again.
 * @returns how many were settled.
 */
export async function inquireAboutCalls(services: Services): Promise<number> {
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
          await callAnswered(services, call.id, known.answeredMs)
        await noteAlive(services, call.id, known.answeredMs)
        return false
      case 'ended':
        return await settleCall(services, { callId: call.id, answeredMs: known.answeredMs, end: known.end })
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

/** The moment to which the call is settled should the network forget it, and a sign of life for who looks at the books. */
async function noteAlive({ db, clock }: Services, callId: string, answeredMs: number | null): Promise<void> {
  await db.query(
    `update call set heartbeat_at = $2, alive_ms = greatest(alive_ms, $3::bigint) where id = $1 and state <> 'ended'`,
    [callId, clock.now(), answeredMs],
  )
}
