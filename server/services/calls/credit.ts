import { failure, type Result, success } from '#lib/result.ts'
import { type AutomaticCredit, claimableUntil, creditWindowDays } from '#lib/rules/call-credit.ts'
import type { Issue } from '#lib/rules/feedback.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import type { Db } from '../../db/port.ts'
import { announceBalance } from '../announce.ts'
import type { Services } from '../context.ts'
import { post } from '../ledger.ts'
import { lockLiveCalls, raiseLimits, tellRaisedLimitsOf } from './limits.ts'
import { type CallRow, lockCall } from './rows.ts'

const windowMs = creditWindowDays * 24 * 3600_000

type Reason = AutomaticCredit['reason'] | 'claim'

interface CreditRow {
  readonly reason: Reason
  readonly amount: number
}

/** Why a call cannot be claimed. `call_blocked`: this account is restricted. */
export type ClaimRefusal =
  | 'not_ended'
  | 'nothing_charged'
  | 'already_credited'
  | 'too_late'
  | 'claim_limit'
  | 'call_blocked'

/** What a claim would give back, in micro-dollars. */
export interface Claimable {
  readonly amountMicroUsd: number
  readonly until: Date
  /** Not now: its user has made as many claims as the limit lets through. */
  readonly usedUp: boolean
}

/**
 * Gives back an ended call that was bad by itself, within its user's limit of the last 30 days, with the user and the call
 * locked. A restricted or deleted account gets nothing by itself.
 * @returns micro-dollars given back now
 */
export async function creditByItself(
  tx: Db,
  services: Services,
  call: CallRow,
  { reason, onWord }: AutomaticCredit,
): Promise<number> {
  const { automaticMost: most, onWordMostMicroUsd } = services.policy.credit
  if (call.credited > 0 || !(await mayCall(tx, call.user_id))) return 0
  if ((await countCredits(tx, call.user_id, 'automatic', services.clock.now())) >= most) return 0
  const paid = await paidFor(tx, call)
  const amount = onWord ? Math.min(paid, onWordMostMicroUsd) : paid
  await give(tx, services, call, { reason, issue: null, amount, most })
  return amount
}

/**
 * A credit that comes after the settlement: another call of the user's that goes on may last longer for it. Not for the
 * settlement itself, which has locked the account by then.
 */
export async function raisingLimits<Given>(
  tx: Db,
  services: Services,
  userId: string,
  credit: () => Promise<Given>,
): Promise<Given> {
  await lockLiveCalls(tx, userId)
  const given = await credit()
  await raiseLimits(tx, services, userId)
  return given
}

/** Whether a call of this user's may be claimed now, and for how much. Asked without locks, it is what a page may show. */
export async function claimableNow(
  db: Db,
  { policy, clock }: Services,
  call: CallRow,
): Promise<Result<Claimable, Exclude<ClaimRefusal, 'claim_limit'>>> {
  if (call.ended_at === null) return failure('not_ended')
  if (call.credited > 0) return failure('already_credited')
  const paid = await paidFor(db, call)
  if (paid <= 0) return failure('nothing_charged')
  if (!(await mayCall(db, call.user_id))) return failure('call_blocked')
  const until = claimableUntil(call.ended_at)
  const now = clock.now()
  if (now > until) return failure('too_late')
  const { claimsMost, onWordMostMicroUsd } = policy.credit
  const usedUp = (await countCredits(db, call.user_id, 'claims', now)) >= claimsMost
  return success({ amountMicroUsd: Math.min(paid, onWordMostMicroUsd), until, usedUp })
}

/**
 * Gives back a bad call on its caller's word, at once and once, within limits. Claimed again, it answers as the first time.
 * @returns USD given back
 */
export async function claimCall(
  services: Services,
  userId: string,
  callId: string,
  issue: Issue,
): Promise<Result<number, ClaimRefusal | 'unknown_call'>> {
  const claimed = await services.db.transaction(tx => claim(tx, services, { userId, callId, issue }))
  if (!claimed.ok) return claimed
  const { amount, fresh } = claimed.value
  if (fresh) await tellCredit(services, userId, 'claim', amount)
  return success(microUsdToUsd(amount))
}

async function claim(
  tx: Db,
  services: Services,
  { userId, callId, issue }: { readonly userId: string; readonly callId: string; readonly issue: Issue },
): Promise<Result<{ amount: number; fresh: boolean }, ClaimRefusal | 'unknown_call'>> {
  const call = await lockCall(tx, callId)
  if (call?.user_id !== userId) return failure('unknown_call')
  const [given] = await tx.query<CreditRow>('select reason, amount from call_credit where call_id = $1', [
    callId,
  ])
  if (given?.reason === 'claim') return success({ amount: given.amount, fresh: false })
  const claimable = await claimableNow(tx, services, call)
  if (!claimable.ok) return claimable
  if (claimable.value.usedUp) return failure('claim_limit')
  const amount = claimable.value.amountMicroUsd
  const most = services.policy.credit.claimsMost
  await raisingLimits(tx, services, userId, () =>
    give(tx, services, call, { reason: 'claim', issue, amount, most }),
  )
  return success({ amount, fresh: true })
}

/** Told after the commit: the balance to the user's pages, the credit to whoever counts. */
export async function tellCredit(
  services: Services,
  userId: string,
  reason: Reason,
  microUsd: number,
): Promise<void> {
  services.observe?.({ kind: 'call_credited', reason, microUsd })
  // A page that was not told asks by itself; the credit stands either way.
  await Promise.all([announceBalance(services, userId), tellRaisedLimitsOf(services, userId)]).catch(error =>
    services.log.warn({ err: error }, 'a credit for a call was not announced'),
  )
}

interface Gift extends CreditRow {
  readonly issue: Issue | null
  readonly most: number
}

async function give(
  tx: Db,
  services: Services,
  call: CallRow,
  { reason, issue, amount, most }: Gift,
): Promise<void> {
  if (amount <= 0) return
  const at = services.clock.now()
  await tx.query(
    `insert into call_credit (call_id, user_id, reason, issue, amount, most, credited_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [call.id, call.user_id, reason, issue, amount, most, at],
  )
  const [account] = await tx.query<{ id: number }>('select id from account where user_id = $1 for update', [
    call.user_id,
  ])
  if (account === undefined) throw new Error('a caller has no account')
  const key = `credit:${call.id}`
  const made = await post(tx, {
    ...{ key, debit: 'goodwill', credit: account.id, amountMicroUsd: amount, callId: call.id, at },
  })
  if (!made) throw new Error('a call was given back before')
}

async function mayCall(db: Db, userId: string): Promise<boolean> {
  const rows = await db.query('select 1 from app_user where id = $1 and can_call and deleted_at is null', [
    userId,
  ])
  return rows.length > 0
}

/** Credits of a user in the last 30 days. */
async function countCredits(
  db: Db,
  userId: string,
  which: 'automatic' | 'claims',
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from call_credit
     where user_id = $1 and credited_at > $2 and (reason = 'claim') = $3`,
    [userId, new Date(now.getTime() - windowMs), which === 'claims'],
  )
  return row?.count ?? 0
}

/** What its caller's balance has paid for a call: less than it cost where that no longer held enough. Micro-dollars. */
async function paidFor(db: Db, call: CallRow): Promise<number> {
  const [row] = await db.query<{ paid: number }>(
    `select coalesce(sum(case own.id when debit_account then amount else -amount end), 0)::bigint as paid
     from transfer join account own on own.id in (debit_account, credit_account)
     where call_id = $1 and own.user_id = $2`,
    [call.id, call.user_id],
  )
  return row?.paid ?? 0
}
