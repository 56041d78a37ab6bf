import { minuteMs } from '#lib/time.ts'
import type { Db } from '../../db/port.ts'
import { chargedForCall, post } from '../../ledger/ledger.ts'
import type { CallRow } from '../rows.ts'

/**
 * Stops a call's meter, if it has one.
 * @returns milliseconds from the answer. `paidMs`: once a minute could not be paid, the time already paid, so that the
 *   moment it takes to hang up is not charged; otherwise Infinity. `meteredMs`: time charged; Infinity without a meter.
 */
export async function stopMeter(tx: Db, callId: string): Promise<{ paidMs: number; meteredMs: number }> {
  const [meter] = await tx.query<{ minutes: number; state: string }>(
    'select minutes, state from call_meter where call_id = $1 for update',
    [callId],
  )
  const endless = Number.POSITIVE_INFINITY
  if (meter === undefined) return { paidMs: endless, meteredMs: endless }
  await tx.query(`update call_meter set next_charge_at = null, state = 'settled' where call_id = $1`, [
    callId,
  ])
  const meteredMs = meter.minutes * minuteMs
  return { paidMs: meter.state === 'exhausted' ? meteredMs : endless, meteredMs }
}

/** Posts the difference between the amount charged and the cost. What the balance cannot cover is our loss, never a debt. */
export async function balanceBooks(tx: Db, call: CallRow, cost: number, now: Date): Promise<void> {
  const [account] = await tx.query<{ id: number; balance: number }>(
    'select id, balance from account where user_id = $1 for no key update',
    [call.user_id],
  )
  if (account === undefined) throw new Error('a caller has no account')
  const missing = cost - (await chargedForCall(tx, call.id))
  const key = `call:${call.id}:settlement`
  if (missing < 0) {
    const amountMicroUsd = -missing
    await post(tx, { key, debit: 'revenue', credit: account.id, amountMicroUsd, callId: call.id, at: now })
    return
  }
  const fromBalance = Math.min(missing, account.balance)
  const fromLosses = missing - fromBalance
  const charge = { credit: 'revenue', callId: call.id, at: now } as const
  if (fromBalance > 0) await post(tx, { ...charge, key, debit: account.id, amountMicroUsd: fromBalance })
  if (fromLosses > 0) {
    await post(tx, { ...charge, key: `${key}:loss`, debit: 'losses', amountMicroUsd: fromLosses })
  }
}

/** Does not touch the user's account. */
export async function postFreeCall(tx: Db, callId: string, amountMicroUsd: number, at: Date): Promise<void> {
  const key = `call:${callId}:free`
  await post(tx, { key, debit: 'promotions', credit: 'revenue', amountMicroUsd, callId, at })
}
