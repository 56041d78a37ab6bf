import { outcomeOf } from '#lib/calls/call-end.ts'
import { callCostMicroUsd, chargedMinutes } from '#lib/money/pricing.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { inLanguageOf } from '../../identity/users.ts'
import { enqueue } from '../../jobs/queue.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { answer } from '../carrier/progress.ts'
import { countBriefFreeCall, countSilentAnswer, settleCallBudget } from '../placing/call-budget.ts'
import { attemptOf, type CallRow, callColumns, lockCall, presentCallEvent } from '../rows.ts'
import { automaticCredit, shortCallMs } from './call-credit.ts'
import { announceCredit, creditAutomatically, creditRestart } from './credit.ts'
import { type CallEnding, callErrorMessage, causeOf, type Ending, endOf, lastKnownMs } from './ending.ts'
import { notifyLowBalance, requestAutoTopUp } from './low-balance.ts'
import { measuredSound } from './quality.ts'
import { balanceBooks, postFreeCall, stopMeter } from './settlement-books.ts'
import { isEndUnconfirmed, markEndUnconfirmed } from './unconfirmed-end.ts'

/** The first answered call of at least this length sets `hide` (PD-11). */
const hideAfterMs = 30_000

/**
 * Settles an ended call, once: its cost is `ceil(answered seconds / 60) x rate`, or nothing if free or unanswered (I4).
 * Posts the difference to what the meter charged, and a free call's worth from promotions. A bad call may earn a
 * goodwill credit (ADR-38). If a shared network reports a call unanswered that our database has as answered, the call
 * is polled again instead.
 * @returns whether it was settled now
 */
export async function settleCall(services: Services, ending: CallEnding): Promise<boolean> {
  return closeAccount(services, ending.callId, () => ending)
}

/**
 * Settles a call whose carrying process died: it ended at its last heartbeat (PD-42). On a shared network that does not
 * know the answered time, the last reported time counts, or else the time until now, and never more than was metered.
 * Such a call is also hung up, in case it is still live.
 * @param isLost checked with the call locked, so that a sign of life in the meantime counts
 * @returns whether it was settled now
 */
export async function settleLostCall(
  services: Services,
  callId: string,
  isLost: (call: CallRow) => boolean,
): Promise<boolean> {
  return closeAccount(services, callId, call =>
    isLost(call)
      ? { answeredMs: lastKnownMs(call, services.clock.now()), end: 'server_stopping', inferred: true }
      : undefined,
  )
}

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
    if (isEndUnconfirmed(call, ending.answeredMs)) {
      await markEndUnconfirmed(tx, services.clock, call)
      return undefined
    }
    const inferred = ending.inferred === true && call.carrier_leg !== null
    const known = { ...ending, end: causeOf(call, ending) }
    const { row, credit } = await settle(tx, services, call, known)
    // Budget counters are locked last, after the ledger accounts.
    const kept = await keepFreeCall(tx, services, { ...row, budget: call.budget })
    if (call.budget !== null) await settleCallBudget(tx, call.budget, row, kept)
    if (inferred) await enqueue(tx, { kind: 'hang_up', callId }, services.clock.now())
    return { row, credit, end: known.end, unsure: inferred }
  })
  if (settled === undefined) return false
  const { row, credit, end, unsure } = settled
  if (unsure) {
    const { answered_ms: answeredMs } = row
    const what =
      answeredMs === null
        ? 'a call is settled without a charge: nobody reported its length'
        : 'nobody reported the length of an answered call'
    services.log.error({ callId, answeredMs }, what)
  }
  if (row.outcome !== null) {
    const { answered_ms: answeredMs, cost: costMicroUsd } = row
    const outcome = end === 'service_failed' ? end : row.outcome
    services.observe?.({ kind: 'call_ended', outcome, answeredMs, costMicroUsd })
  }
  services.notifier.call(row.user_id, presentCallEvent(row))
  if (credit === null) await announceBalance(services, row.user_id)
  else await announceCredit(services, row.user_id, credit, row.credited)
  const message = await inLanguageOf(services.db, row.user_id, async () => callErrorMessage(row, end))
  if (message !== undefined) {
    services.notifier.callError(row.user_id, { message, callId: row.id, ...attemptOf(row) })
  }
  return true
}

interface Settled {
  readonly row: CallRow
  readonly credit: 'short' | 'no_sound' | 'restart' | null
}

async function settle(tx: Db, services: Services, locked: CallRow, ending: Ending): Promise<Settled> {
  const now = services.clock.now()
  const reportedMs = ending.answeredMs === null ? null : Math.min(ending.answeredMs, locked.limit_ms)
  const call =
    reportedMs !== null && locked.answered_at === null
      ? await answer(tx, locked, new Date(now.getTime() - reportedMs), now)
      : locked
  const meter = await stopMeter(tx, call.id)
  // An inferred end never costs more than was already charged.
  const maxMs = ending.inferred && call.carrier_leg !== null ? meter.meteredMs : meter.paidMs
  const answeredMs = reportedMs === null ? null : Math.min(reportedMs, maxMs)
  const worth = callCostMicroUsd(answeredMs ?? 0, call.rate)
  const cost = call.free ? 0 : worth
  await balanceBooks(tx, call, cost, now)
  if (call.free && worth > 0) await postFreeCall(tx, call.id, worth, now)
  await updateUser(tx, call, answeredMs)
  const [row] = await tx.query<CallRow>(
    `update call set state = 'ended', ended_at = $2, answered_ms = $3, minutes_charged = $4, cost = $5, outcome = $6,
       budget = null
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
  if (cost === 0) return { row, credit: null }
  const settled = await creditIfBad(tx, services, row, ending)
  await requestAutoTopUp(tx, call.user_id, now)
  await notifyLowBalance(tx, services, call)
  return settled
}

/** Runs before the low-balance notice, because the credit counts towards the balance. */
async function creditIfBad(
  tx: Db,
  services: Services,
  row: CallRow,
  { heard, callerHeard }: Ending,
): Promise<Settled> {
  if (isCutByUs(row)) {
    const credited = await creditRestart(tx, services, row)
    if (credited > 0) return { row: { ...row, credited }, credit: 'restart' }
  }
  if (callerHeard === false && !(await countSilentAnswer(tx, services, row))) return { row, credit: null }
  const measured = await measuredSound(tx, row.id)
  const due = automaticCredit({ answeredMs: row.answered_ms ?? 0, networkHeard: heard ?? null, measured })
  if (due === null) return { row, credit: null }
  const credited = await creditAutomatically(tx, services, row, due)
  return credited > 0 ? { row: { ...row, credited }, credit: due.reason } : { row, credit: null }
}

/** Our restart ends the calls of the local exchange. On a shared network calls go on without us, so nobody knows. */
function isCutByUs({ outcome, carrier_leg: leg }: CallRow): boolean {
  return outcome === 'interrupted' && leg === null
}

/**
 * A free call that was over before it began, or that our restart cut, stays available while the budget of such calls has
 * room (ADR-63).
 * @returns whether it does
 */
async function keepFreeCall(tx: Db, services: Services, call: CallRow): Promise<boolean> {
  if (!call.free || call.purpose === 'test' || call.answered_ms === null) return false
  if (call.answered_ms >= shortCallMs && !isCutByUs(call)) return false
  if (!(await countBriefFreeCall(tx, services, call))) return false
  await tx.query(`update app_user set free_call = 'available' where id = $1 and free_call = 'used'`, [
    call.user_id,
  ])
  return true
}

async function updateUser(tx: Db, call: CallRow, answeredMs: number | null): Promise<void> {
  if (call.purpose === 'test') return
  if (answeredMs === null && call.free && call.answered_at === null) {
    await tx.query(`update app_user set free_call = 'available' where id = $1 and free_call = 'reserved'`, [
      call.user_id,
    ])
  }
  if ((answeredMs ?? 0) >= hideAfterMs) {
    await tx.query('update app_user set hide = true where id = $1', [call.user_id])
  }
}
