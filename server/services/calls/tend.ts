import type { HangUpReason } from '../../telephony/port.ts'
import type { Services } from '../context.ts'
import { tellRaisedLimits } from './limits.ts'

/** So long nobody else does what one process is about to do, longer than that may take; after that it was not done. */
const claimMs = 30_000

/** Calls seen to in one turn. */
const atOnce = 20

/** Its network ends a call at its limit: one that goes on so long after it does not. The clocks may differ a little. */
const pastLimit = `call.answered_at + call.limit_ms * interval '1 millisecond' + interval '15 seconds' < $1`

/**
 * What a call on a shared network needs of us: to be hung up, or to have its raised limit told. Why it is hung up is
 * written down first, since any process may be told of the end, and by that network without a reason. Soon after, it is
 * asked about: its end may have been told already, and lost.
 */
const claim = `
update call set tended_until = $2, hang_up = coalesce(call.hang_up, due.why), inquire_at = least(call.inquire_at, $2)
from (
  select call.id, case when call_meter.state = 'exhausted' then 'no_credits'
    when not app_user.can_call then 'call_blocked' when ${pastLimit} then 'limit' end as why
  from call join app_user on app_user.id = call.user_id
  left join call_meter on call_meter.call_id = call.id
  where call.carrier_leg is not null and call.state <> 'ended' and coalesce(call.tended_until <= $1, true)
    and (call_meter.state = 'exhausted' or not app_user.can_call or call.limit_raised or ${pastLimit})
  order by call.id limit ${atOnce} for update of call skip locked) as due
where call.id = due.id
returning call.id, due.why`

/**
 * Does for the calls of a shared network what heartbeats do for those that a process carries: hangs up the one whose next
 * minute could not be paid, the one of a user who may not call any more, and the one that its network lets run past its
 * limit, and tells limits that a top-up raised. Any number of processes do it at once, each call seen to by one; what fails
 * is done again by any. A process whose calls another network carries leaves them alone.
 * @returns how many calls needed something.
 */
export async function tendCalls(services: Services): Promise<number> {
  if (services.telephony.carriage !== 'shared') return 0
  const now = services.clock.now()
  const due = await services.db.query<{ id: string; why: HangUpReason | null }>(claim, [
    now,
    new Date(now.getTime() + claimMs),
  ])
  await Promise.all(
    due.map(({ id, why }) => (why === null ? tellRaisedLimits(services, [id]) : hangUp(services, id, why))),
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
