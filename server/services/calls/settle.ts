import type { CallOutcome } from '#lib/api/calls.ts'
import { callSummary } from '#lib/rules/call-summary.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { callCostMicroUsd, chargedMinutes, msPerMinute } from '#lib/rules/pricing.ts'
import type { Db } from '../../db/port.ts'
import type { CallEnd } from '../../telephony/port.ts'
import { announceBalance } from '../announce.ts'
import type { Services } from '../context.ts'
import { chargedForCall, post } from '../ledger.ts'
import { wishAutoTopUp } from '../payments/auto-top-up.ts'
import { tellLowBalance } from './low-balance.ts'
import { answer } from './progress.ts'
import { type CallRow, callColumns, lockCall, presentCall, presentCallEvent } from './rows.ts'

/** Decision 11: `hide` is set after the first answered call of 30 s or more. */
const hideAfterMs = 30_000

export interface CallEnding {
  readonly callId: string
  /** From answer to end; null when nobody answered. */
  readonly answeredMs: number | null
  readonly end: CallEnd
}

/**
 * Closes a call's account, once: it has been charged `ceil(answered seconds / 60) x rate`, or nothing
 * when it was free or nobody answered (invariant I4). What the meter took too much goes back, what it
 * had not taken yet is charged, and both under the settlement's own key. What a free call was worth is
 * posted from our promotions, under a key of its own. A repeated or late report changes nothing.
 * @returns whether it was settled now.
 */
export async function settleCall(services: Services, ending: CallEnding): Promise<boolean> {
  return closeAccount(services, ending.callId, () => ending)
}

/**
 * Settles a call of which nobody knows any more, because the process that carried it died: it ended at its
 * last written heartbeat (product decisions, 'Money').
 * @param isLost asked with the call locked, so that a sign of life that came meanwhile counts
 * @returns whether it was settled now.
 */
export async function settleLostCall(
  services: Services,
  callId: string,
  isLost: (call: CallRow) => boolean,
): Promise<boolean> {
  return closeAccount(services, callId, call =>
    isLost(call) ? { answeredMs: msUntilHeartbeat(call), end: 'server_stopping' } : undefined,
  )
}

type Ending = Omit<CallEnding, 'callId'>

async function closeAccount(
  services: Services,
  callId: string,
  endingOf: (locked: CallRow) => Ending | undefined,
): Promise<boolean> {
  const settled = await services.db.transaction(async tx => {
    const call = await lockCall(tx, callId)
    if (call === undefined || call.state === 'ended') return undefined
    const ending = endingOf(call)
    if (ending === undefined) return undefined
    const known = { ...ending, end: endOfHungUp(call, ending) }
    return { row: await settle(tx, services, call, known), end: known.end }
  })
  if (settled === undefined) return false
  const { row, end } = settled
  if (row.outcome !== null) {
    const { outcome, answered_ms: answeredMs, cost: costMicroUsd } = row
    services.observe?.({ kind: 'call_ended', outcome, answeredMs, costMicroUsd })
  }
  services.notifier.call(row.user_id, presentCallEvent(row))
  await announceBalance(services, row.user_id)
  const message = callErrorMessage(row, end)
  if (message !== undefined) services.notifier.callError(row.user_id, { message, callId: row.id })
  return true
}

/** A shared network counts whole seconds: a call that was cut at its limit may seem to end just before it. */
const limitToleranceMs = 1000

/** Who ended a call that was put down on a network that does not say: we, where we asked for it, or the limit. */
function endOfHungUp(call: CallRow, { answeredMs, end }: Ending): CallEnd {
  if (end !== 'hung_up' && end !== 'cancelled') return end
  switch (call.hang_up) {
    case 'no_credits':
      return 'limit'
    case 'call_blocked':
      return 'blocked'
    case 'already_settled':
      return 'server_stopping'
    case null:
      return answeredMs !== null && answeredMs >= call.limit_ms - limitToleranceMs ? 'limit' : end
  }
}

/**
 * What a page is told that may believe its call to go on (`call_error`, specification section 4): nothing where
 * somebody hung up or nobody answered, since the voice client tells that itself.
 */
function callErrorMessage(row: CallRow, end: CallEnd): string | undefined {
  switch (end) {
    case 'blocked':
      return texts.calls.call_blocked
    case 'limit':
    case 'connection_lost':
    case 'server_stopping':
      return callSummary(presentCall(row), { kind: 'connection_lost' })
    default:
      return undefined
  }
}

function msUntilHeartbeat(call: CallRow): number | null {
  if (call.answered_at === null) return null
  if (call.alive_ms !== null) return call.alive_ms
  const until = call.heartbeat_at ?? call.answered_at
  return Math.max(0, until.getTime() - call.answered_at.getTime())
}

async function settle(tx: Db, services: Services, locked: CallRow, ending: Ending): Promise<CallRow> {
  const now = services.clock.now()
  const reportedMs = ending.answeredMs === null ? null : Math.min(ending.answeredMs, locked.limit_ms)
  const call =
    reportedMs !== null && locked.answered_at === null
      ? await answer(tx, locked, new Date(now.getTime() - reportedMs), now)
      : locked
  const paidMs = await stopMeter(tx, call.id)
  const answeredMs = reportedMs === null ? null : Math.min(reportedMs, paidMs)
  const worth = callCostMicroUsd(answeredMs ?? 0, call.rate)
  const cost = call.free ? 0 : worth
  await balanceBooks(tx, call, cost, now)
  if (call.free && worth > 0) await postFreeCall(tx, call.id, worth, now)
  if (cost > 0) await wishAutoTopUp(tx, call.user_id, now)
  if (cost > 0) await tellLowBalance(tx, services, call)
  await updateUser(tx, call, answeredMs)
  const [row] = await tx.query<CallRow>(
    `update call set state = 'ended', ended_at = $2, answered_ms = $3, minutes_charged = $4, cost = $5, outcome = $6
     where id = $1 returning ${callColumns}`,
    [
      call.id,
      endOf(call, answeredMs) ?? now,
      answeredMs,
      call.free ? 0 : chargedMinutes(answeredMs ?? 0),
      cost,
      outcomeOf(ending.end, answeredMs !== null),
    ],
  )
  if (row === undefined) throw new Error('the locked call is gone')
  return row
}

/**
 * Stops the meter of a call, if it has one.
 * @returns how long the call may count: what was paid where the next minute could not be, so that nobody is
 * charged for the moment that hanging up takes; without end otherwise. Milliseconds from answer.
 */
async function stopMeter(tx: Db, callId: string): Promise<number> {
  const [meter] = await tx.query<{ minutes: number; state: string }>(
    'select minutes, state from call_meter where call_id = $1 for update',
    [callId],
  )
  if (meter === undefined) return Number.POSITIVE_INFINITY
  await tx.query('update call_meter set next_charge_at = null where call_id = $1', [callId])
  return meter.state === 'exhausted' ? meter.minutes * msPerMinute : Number.POSITIVE_INFINITY
}

/** When an answered call ended, however late it is settled. */
function endOf(call: CallRow, answeredMs: number | null): Date | undefined {
  if (call.answered_at === null || answeredMs === null) return undefined
  return new Date(call.answered_at.getTime() + answeredMs)
}

/** Brings what was charged to what the call costs. What a balance no longer holds is our loss, never a debt. */
async function balanceBooks(tx: Db, call: CallRow, cost: number, now: Date): Promise<void> {
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
async function postFreeCall(tx: Db, callId: string, amountMicroUsd: number, at: Date): Promise<void> {
  const key = `call:${callId}:free`
  await post(tx, { key, debit: 'promotions', credit: 'revenue', amountMicroUsd, callId, at })
}

async function updateUser(tx: Db, call: CallRow, answeredMs: number | null): Promise<void> {
  if (answeredMs === null && call.free && call.answered_at === null) {
    await tx.query(`update app_user set free_call = 'available' where id = $1 and free_call = 'reserved'`, [
      call.user_id,
    ])
  }
  if ((answeredMs ?? 0) >= hideAfterMs) {
    await tx.query('update app_user set hide = true where id = $1', [call.user_id])
  }
}

function outcomeOf(end: CallEnd, answered: boolean): CallOutcome {
  switch (end) {
    case 'hung_up':
    case 'caller_hung_up':
      return answered ? 'completed' : 'cancelled'
    case 'callee_hung_up':
      return answered ? 'completed' : 'declined'
    case 'server_stopping':
      return 'interrupted'
    case 'blocked':
      return 'failed'
    case 'connection_lost':
    case 'limit':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'cancelled':
    case 'invalid_number':
    case 'failed':
      return end
  }
}
