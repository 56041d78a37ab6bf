import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { chargeFirstMinute } from '../metering/meter.ts'
import { type CallRow, callColumns, lockCall, presentCallEvent } from '../rows.ts'
import { pastLimitMs } from '../settlement/unconfirmed-end.ts'

/** Max ring time, after which a call ends unanswered. */
export const longestRingSeconds = 90

/** With a sweep, calls whose progress is reported need no early poll: the sweep finds lost events. */
const isSwept = ({ telephony }: Services) => telephony.listLive !== undefined

/** The callee's telephone rings. Late reports (the call is answered or over) change nothing. */
export async function callRinging(services: Services, callId: string): Promise<void> {
  const [row] = await services.db.query<CallRow>(
    `update call set state = 'ringing',
       inquire_at = case when $2 then greatest(inquire_at, placed_at + interval '${longestRingSeconds} seconds') else inquire_at end
     where id = $1 and state = 'placed' returning ${callColumns}`,
    [callId, isSwept(services)],
  )
  if (row === undefined) return
  const afterMs = services.clock.now().getTime() - row.placed_at.getTime()
  services.observe?.({ kind: 'call_ringing', afterMs })
  services.notifier.call(row.user_id, presentCallEvent(row))
}

/** Uses up the free call, or starts the meter (PD-18). Late reports change nothing. @param sinceMs since the answer */
export async function callAnswered(services: Services, callId: string, sinceMs = 0): Promise<void> {
  const now = services.clock.now()
  const at = new Date(now.getTime() - sinceMs)
  const row = await services.db.transaction(async tx => {
    const call = await lockCall(tx, callId)
    if (call === undefined || call.state === 'answered' || call.state === 'ended') return undefined
    const answered = await answer(tx, call, at, now)
    if (isSwept(services)) {
      const overAt = new Date(at.getTime() + call.limit_ms + pastLimitMs)
      await tx.query('update call set inquire_at = $2 where id = $1 and carrier_leg is not null', [
        callId,
        overAt,
      ])
    }
    return answered
  })
  if (row === undefined) return
  services.observe?.({ kind: 'call_answered', afterMs: at.getTime() - row.placed_at.getTime() })
  services.notifier.call(row.user_id, presentCallEvent(row))
  await chargeFirstMinute(services, callId)
  await announceBalance(services, row.user_id)
}

/** Needs the call's lock. @param now the heartbeat; with `at`, a late answer would look like a call of a dead process */
export async function answer(tx: Db, call: CallRow, at: Date, now: Date): Promise<CallRow> {
  const [row] = await tx.query<CallRow>(
    `update call set state = 'answered', answered_at = $2, heartbeat_at = $3 where id = $1 returning ${callColumns}`,
    [call.id, at, now],
  )
  if (row === undefined) throw new Error('the locked call is gone')
  // A test call does not count as the user's first call.
  if (call.purpose !== 'test')
    await tx.query(
      `update app_user set has_made_call = true, free_call = case when $2 then 'used' else free_call end
       where id = $1`,
      [call.user_id, call.free],
    )
  if (!call.free) {
    await tx.query(
      `insert into call_meter (call_id, account_id, rate, max_minutes, next_charge_at, state)
       select $1, id, $3, $4, $5, 'running' from account where user_id = $2`,
      [call.id, call.user_id, call.rate, Math.ceil(call.limit_ms / minuteMs), at],
    )
  }
  return row
}
