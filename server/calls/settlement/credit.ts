import type { Issue } from '#lib/calls/feedback.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { post } from '../../ledger/ledger.ts'
import { reportSpent, reserve } from '../../limits/reserve.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { lockLiveCalls, raiseLimits, sendRaisedLimitsOf } from '../../spending/duration-limits.ts'
import { type CallRow, lockCall } from '../rows.ts'
import { type AutomaticCredit, claimableUntil, creditWindowDays } from './call-credit.ts'
import { goodwillUse } from './goodwill-budget.ts'

const windowMs = creditWindowDays * dayMs

/** `restart`: our own server stopped during the call. */
type Reason = AutomaticCredit['reason'] | 'claim' | 'restart'

/** Why a call cannot be claimed. `call_blocked`: the account is restricted. */
export type ClaimRejection =
  | 'not_ended'
  | 'nothing_charged'
  | 'already_credited'
  | 'too_late'
  | 'claim_limit'
  /** The budget of the mailbox, card, network or day is used up. */
  | 'claim_budget'
  | 'call_blocked'

export interface Claimable {
  readonly amountMicroUsd: number
  readonly until: Date
  readonly usedUp: boolean
}

/**
 * Credits within the user's limit for 30 days and the budget, up to $1.00 or one minute, but no restricted or deleted account. The
 * user and the call must be locked.
 * @returns micro-dollars credited now
 */
export async function creditAutomatically(
  tx: Db,
  services: Services,
  call: CallRow,
  { reason, unverified }: AutomaticCredit,
): Promise<number> {
  const { maxAutomatic: limit, maxUnverifiedCreditMicroUsd } = services.policy.credit
  const max = unverified ? maxUnverifiedCreditMicroUsd : maxVerifiedCredit(services, call)
  if (call.credited > 0 || !(await mayCall(tx, call.user_id))) return 0
  if ((await countCredits(tx, call.user_id, 'automatic', services.clock.now())) >= limit) return 0
  const amountMicroUsd = Math.min(await paidFor(tx, call), max)
  const gift = { reason, issue: null, amountMicroUsd, limit }
  return (await giveWithinBudget(tx, services, call, gift)) ? amountMicroUsd : 0
}

/**
 * Refunds a call that our own restart cut (ADR-63), apart from the limit of other bad calls: up to what a claim is worth,
 * or one minute if that is more. Not for restricted or deleted accounts. The user and the call must be locked.
 * @returns micro-dollars credited now
 */
export async function creditRestart(tx: Db, services: Services, call: CallRow): Promise<number> {
  const { maxRestarts: limit } = services.policy.credit
  if (call.credited > 0 || !(await mayCall(tx, call.user_id))) return 0
  if ((await countCredits(tx, call.user_id, 'restarts', services.clock.now())) >= limit) return 0
  const amountMicroUsd = Math.min(await paidFor(tx, call), maxVerifiedCredit(services, call))
  await give(tx, services, call, { reason: 'restart', issue: null, amountMicroUsd, limit })
  return amountMicroUsd
}

/** Also of what we know ourselves: whoever answers, and when our server restarts, is no secret either. Micro-dollars. */
function maxVerifiedCredit({ policy }: Services, { rate }: CallRow): number {
  return Math.max(policy.credit.maxUnverifiedCreditMicroUsd, rate)
}

/** For credits after the settlement: other live calls may then last longer. The settlement itself has locked the account. */
export async function withRaisedLimits<Given>(
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

/** Whether the call may be claimed now, and for how much. Takes no locks when only a page shows the answer. */
export async function claimableNow(
  db: Db,
  { policy, clock }: Services,
  call: CallRow,
): Promise<Result<Claimable, Exclude<ClaimRejection, 'claim_limit' | 'claim_budget'>>> {
  if (call.ended_at === null) return failure('not_ended')
  if (call.credited > 0) return failure('already_credited')
  const paid = await paidFor(db, call)
  if (paid <= 0) return failure('nothing_charged')
  if (!(await mayCall(db, call.user_id))) return failure('call_blocked')
  const until = claimableUntil(call.ended_at)
  const now = clock.now()
  if (now > until) return failure('too_late')
  const { maxClaims, maxUnverifiedCreditMicroUsd } = policy.credit
  const usedUp = (await countCredits(db, call.user_id, 'claims', now)) >= maxClaims
  return success({ amountMicroUsd: Math.min(paid, maxUnverifiedCreditMicroUsd), until, usedUp })
}

/** Credits a bad call claimed by its user, once, within limits. A repeated claim gets the first answer. @returns USD credited */
export async function claimCall(
  services: Services,
  userId: string,
  callId: string,
  issue: Issue,
): Promise<Result<number, ClaimRejection | 'unknown_call'>> {
  const claimed = await services.db.transaction(tx => claim(tx, services, { userId, callId, issue }))
  if (!claimed.ok) return claimed
  const { amountMicroUsd, fresh } = claimed.value
  if (fresh) await announceCredit(services, userId, 'claim', amountMicroUsd)
  return success(microUsdToUsd(amountMicroUsd))
}

async function claim(
  tx: Db,
  services: Services,
  { userId, callId, issue }: { readonly userId: string; readonly callId: string; readonly issue: Issue },
): Promise<Result<{ amountMicroUsd: number; fresh: boolean }, ClaimRejection | 'unknown_call'>> {
  const call = await lockCall(tx, callId)
  if (call?.user_id !== userId) return failure('unknown_call')
  const [given] = await tx.query<{ reason: Reason; amount_micro_usd: number }>(
    'select reason, amount as amount_micro_usd from call_credit where call_id = $1',
    [callId],
  )
  if (given?.reason === 'claim') return success({ amountMicroUsd: given.amount_micro_usd, fresh: false })
  const claimable = await claimableNow(tx, services, call)
  if (!claimable.ok) return claimable
  if (claimable.value.usedUp) return failure('claim_limit')
  const { amountMicroUsd } = claimable.value
  const limit = services.policy.credit.maxClaims
  const isGiven = await withRaisedLimits(tx, services, userId, () =>
    giveWithinBudget(tx, services, call, { reason: 'claim', issue, amountMicroUsd, limit }),
  )
  if (!isGiven) return failure('claim_budget')
  return success({ amountMicroUsd, fresh: true })
}

/** Call after the commit: publishes the balance to the user's pages and counts the credit. */
export async function announceCredit(
  services: Services,
  userId: string,
  reason: Reason,
  microUsd: number,
): Promise<void> {
  services.observe?.({ kind: 'call_credited', reason, microUsd })
  // If this fails, the page will ask by itself; the credit stands.
  await Promise.all([announceBalance(services, userId), sendRaisedLimitsOf(services, userId)]).catch(error =>
    services.log.warn({ err: error }, 'could not publish a goodwill credit'),
  )
}

interface Gift {
  readonly reason: Reason
  readonly amountMicroUsd: number
  readonly issue: Issue | null
  readonly limit: number
}

/**
 * For credits that callers can bring about (ADR-77). Locks the budget after the account.
 * @returns whether there was room
 */
async function giveWithinBudget(tx: Db, services: Services, call: CallRow, gift: Gift): Promise<boolean> {
  if (gift.amountMicroUsd <= 0) return true
  await tx.query('select id from account where user_id = $1 for no key update', [call.user_id])
  const use = await goodwillUse(tx, services, call.user_id, gift.amountMicroUsd)
  const reserved = await reserve(tx, services, [use])
  if (reserved.ok) await give(tx, services, call, gift)
  else reportSpent(services, reserved.spent)
  return reserved.ok
}

async function give(
  tx: Db,
  services: Services,
  call: CallRow,
  { reason, issue, amountMicroUsd, limit }: Gift,
): Promise<void> {
  if (amountMicroUsd <= 0) return
  const at = services.clock.now()
  await tx.query(
    `insert into call_credit (call_id, user_id, reason, issue, amount, most, credited_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [call.id, call.user_id, reason, issue, amountMicroUsd, limit, at],
  )
  const [account] = await tx.query<{ id: number }>(
    'select id from account where user_id = $1 for no key update',
    [call.user_id],
  )
  if (account === undefined) throw new Error('a caller has no account')
  const key = `credit:${call.id}`
  const made = await post(tx, {
    ...{ key, debit: 'goodwill', credit: account.id, amountMicroUsd, callId: call.id, at },
  })
  if (!made) throw new Error('a call was given back before')
}

async function mayCall(db: Db, userId: string): Promise<boolean> {
  const rows = await db.query('select 1 from app_user where id = $1 and can_call and deleted_at is null', [
    userId,
  ])
  return rows.length > 0
}

/** The reasons that each limit counts. */
const counted = {
  automatic: ['short', 'no_sound'],
  claims: ['claim'],
  restarts: ['restart'],
} as const satisfies Record<string, readonly Reason[]>

async function countCredits(db: Db, userId: string, which: keyof typeof counted, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from call_credit
     where user_id = $1 and credited_at > $2 and reason = any($3::text[])`,
    [userId, new Date(now.getTime() - windowMs), counted[which]],
  )
  return row?.count ?? 0
}

/** What the user's balance has paid for a call; less than its cost if the balance ran out. Micro-dollars. */
async function paidFor(db: Db, call: CallRow): Promise<number> {
  const [row] = await db.query<{ paid: number }>(
    `select coalesce(sum(case own.id when debit_account then amount else -amount end), 0)::bigint as paid
     from transfer join account own on own.id in (debit_account, credit_account)
     where call_id = $1 and own.user_id = $2`,
    [call.id, call.user_id],
  )
  return row?.paid ?? 0
}
