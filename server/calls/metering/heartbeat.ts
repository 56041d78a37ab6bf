import type { HangUpReason } from '#lib/calls/call-end.ts'
import type { Services } from '../../context.ts'
import { sendRaisedLimits } from '../../spending/duration-limits.ts'

/**
 * Records that these calls are live; they are settled to this moment if this process dies. Also applies decisions of
 * others: hangs up calls that are over, unpaid or no longer allowed, and applies raised limits.
 * @param callIds the calls that this process carries, including unanswered ones
 */
export async function recordHeartbeats(services: Services, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return
  const lasted = await Promise.all(callIds.map(id => answeredMs(services, id)))
  // In the order in which a top-up locks them, to avoid deadlocks between two calls of one user.
  await services.db.query(
    `update call set heartbeat_at = $1, alive_ms = greatest(alive_ms, nullif(carried.lasted, '')::bigint)
     from unnest($2::uuid[], $3::text[]) as carried (id, lasted)
     where call.id = carried.id and call.id in (
       select id from call where id = any($2::uuid[]) and state <> 'ended' order by id for update)`,
    [services.clock.now(), callIds, lasted.map(ms => ms?.toString() ?? '')],
  )
  const over = await services.db.query<{ id: string; why: HangUpReason }>(
    `select carried.id,
       case when call.id is null or call.state = 'ended' then 'already_settled'
            when call_meter.state = 'exhausted' then 'no_credits'
            else 'call_blocked' end as why
     from unnest($1::uuid[]) as carried (id)
     left join call on call.id = carried.id
     left join app_user on app_user.id = call.user_id
     left join call_meter on call_meter.call_id = carried.id
     where call.id is null or call.state = 'ended' or call_meter.state = 'exhausted' or not app_user.can_call`,
    [callIds],
  )
  await sendRaisedLimits(services, callIds)
  for (const { id, why } of over) {
    try {
      await services.telephony.hangUp(id, why)
    } catch (error) {
      services.log.error({ err: error, callId: id, why }, 'hanging up a call that is over failed')
    }
  }
}

/** By the network's monotonic clock (REL-16), so that setting the wall clock does not change a call's cost. Null if unknown. */
async function answeredMs({ telephony, log }: Services, callId: string): Promise<number | null> {
  try {
    const known = await telephony.inspect(callId)
    return known.kind === 'live' ? known.answeredMs : null
  } catch (error) {
    log.error({ err: error, callId }, 'asking how long a call has lasted failed')
    return null
  }
}
