import { msPerMinute } from '#lib/rules/pricing.ts'
import type { Db } from '../../db/port.ts'
import { announceBalance } from '../announce.ts'
import type { Services } from '../context.ts'
import { chargeDueMinutes } from './meter.ts'
import { type CallRow, callColumns, lockCall, presentCallEvent } from './rows.ts'

/** The other end rings. Late news (the call is answered or over) changes nothing. */
export async function callRinging(services: Services, callId: string): Promise<void> {
  const [row] = await services.db.query<CallRow>(
    `update call set state = 'ringing' where id = $1 and state = 'placed' returning ${callColumns}`,
    [callId],
  )
  if (row === undefined) return
  const afterMs = services.clock.now().getTime() - row.placed_at.getTime()
  services.observe?.({ kind: 'call_ringing', afterMs })
  services.notifier.call(row.user_id, presentCallEvent(row))
}

/**
 * The other end answered: the free call is used up, or the meter starts and the first minute is charged
 * at once (decision 18). A repeated or late report changes nothing.
 * @param sinceMs how long ago that was, where it is told late
 */
export async function callAnswered(services: Services, callId: string, sinceMs = 0): Promise<void> {
  const now = services.clock.now()
  const at = new Date(now.getTime() - sinceMs)
  const row = await services.db.transaction(async tx => {
    const call = await lockCall(tx, callId)
    if (call === undefined || call.state === 'answered' || call.state === 'ended') return undefined
    return answer(tx, call, at, now)
  })
  if (row === undefined) return
  services.observe?.({ kind: 'call_answered', afterMs: at.getTime() - row.placed_at.getTime() })
  services.notifier.call(row.user_id, presentCallEvent(row))
  await chargeDueMinutes(services)
  await announceBalance(services, row.user_id)
}

/**
 * Marks a locked call as answered, inside the caller's transaction.
 * @param now the sign of life: were it `at`, an answer told late would look like a process that is long dead
 */
export async function answer(tx: Db, call: CallRow, at: Date, now: Date): Promise<CallRow> {
  const [row] = await tx.query<CallRow>(
    `update call set state = 'answered', answered_at = $2, heartbeat_at = $3 where id = $1 returning ${callColumns}`,
    [call.id, at, now],
  )
  if (row === undefined) throw new Error('the locked call is gone')
  // A call to one's own number is nobody's first call.
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
      [call.id, call.user_id, call.rate, Math.ceil(call.limit_ms / msPerMinute), at],
    )
  }
  return row
}
