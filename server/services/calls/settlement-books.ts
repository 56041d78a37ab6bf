import { msPerMinute } from '#lib/rules/pricing.ts'
import type { Db } from '../../db/port.ts'
import { chargedForCall, post } from '../ledger.ts'
import type { CallRow } from './rows.ts'

/** What the settlement of a call does to its meter and to the books. */

/**
 * Stops the meter of a call, if it has one.
 * @returns `paidMs`: how long the call may count: what was paid where the next minute could not be, so that nobody is
 * charged for the moment that hanging up takes; without end otherwise. `meteredMs`: what was charged; without end where
 * there is no meter. Milliseconds from answer.
 */
export async function stopMeter(tx: Db, callId: string): Promise<{ paidMs: number; meteredMs: number }> {
  const [meter] = await tx.query<{ minutes: number; state: string }>(
    'select minutes, state from call_meter where call_id = $1 for update',
    [callId],
  )
  const endless = Number.POSITIVE_INFINITY
  if (meter === undefined) return { paidMs: endless, meteredMs: endless }
  await tx.query('update call_meter set next_charge_at = null where call_id = $1', [callId])
  const meteredMs = meter.minutes * msPerMinute
  return { paidMs: meter.state === 'exhausted' ? meteredMs : endless, meteredMs }
}

/** Brings what was charged to what the call costs. What a balance no longer holds is our loss, never a debt. */
export async function balanceBooks(tx: Db, call: CallRow, cost: number, now: Date): Promise<void> {
  const [account] = await tx.query<{ id: number; balance: number }>(
    'select id, balance from account where user_id = $1 for update',
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

/** Nothing of it touches the customer's account. */
export async function postFreeCall(tx: Db, callId: string, amountMicroUsd: number, at: Date): Promise<void> {
  const key = `call:${callId}:free`
  await post(tx, { key, debit: 'promotions', credit: 'revenue', amountMicroUsd, callId, at })
}
