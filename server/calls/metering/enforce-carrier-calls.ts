import type { HangUpReason } from '#lib/calls/call-end.ts'
import type { Services } from '../../context.ts'
import { sendRaisedLimits } from '../../spending/duration-limits.ts'

/** Lease; when it expires, another process retries. */
const claimMs = 30_000

const batch = 20

/**
 * Finds due calls by two indexes that hold only those: calls with a reason to end or a raised limit, and meters whose
 * balance ran out. The reason is saved first: any process may get the end event, and a shared network does not say who
 * asked for the end. A poll follows soon, since that event may be lost.
 */
const claim = `
with due as (
  select id, hang_up as why from call
  where carrier_leg is not null and state <> 'ended' and (hang_up is not null or limit_raised)
    and coalesce(tended_until <= $1, true)
  union
  select call.id, coalesce(call.hang_up, 'no_credits') from call_meter join call on call.id = call_meter.call_id
  where call_meter.state = 'exhausted' and call.carrier_leg is not null and call.state <> 'ended'
    and coalesce(call.tended_until <= $1, true)
), claimed as (
  select id from call where id in (select id from due) order by id limit ${batch} for update skip locked
)
update call set tended_until = $2, inquire_at = least(call.inquire_at, $2),
  hang_up = coalesce(call.hang_up, (select max(why) from due where due.id = call.id))
from claimed where call.id = claimed.id and call.state <> 'ended'
returning call.id, call.hang_up as why`

/**
 * Does for calls on a shared network what heartbeats do for those of a process: hangs up calls that cannot pay or have
 * a reason to end, and sends raised limits. Each call is claimed by one process; any process may retry a failure.
 * @returns how many calls were due
 */
export async function enforceCarrierCalls(services: Services): Promise<number> {
  if (services.telephony.carriage !== 'shared') return 0
  const now = services.clock.now()
  const due = await services.db.query<{ id: string; why: HangUpReason | null }>(claim, [
    now,
    new Date(now.getTime() + claimMs),
  ])
  await Promise.all(
    due.map(({ id, why }) => (why === null ? sendRaisedLimits(services, [id]) : hangUp(services, id, why))),
  )
  return due.length
}

async function hangUp({ telephony, log }: Services, callId: string, why: HangUpReason): Promise<void> {
  try {
    await telephony.hangUp(callId, why)
  } catch (error) {
    log.error({ err: error, callId, why }, 'hanging up a call failed')
  }
}
