import { dayMs } from '#lib/time.ts'
import type { Tier, TierLimits } from '../config/policy.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { isUncontested, keptOf } from '../ledger/kept.ts'

/**
 * Credits from an operator count as paid, because somebody checked them; refunded and disputed payments do not. Reads
 * the user's own transfers first, because all users share the account `adjustments`. A redeemed booklet lifts its
 * redeemer to the limits of the first days and no further; buying one counts for nothing (ADR-65).
 */
export async function tierOf(db: Db, services: Services, userId: string): Promise<Tier> {
  return (await trustOf(db, services, userId)).tier
}

export interface Trust {
  readonly tier: Tier
  readonly paidMicroUsd: number
  /** The first payment that counts; null without one. */
  readonly paidSince: Date | null
}

/** The tier, and the payments that it follows from. */
export async function trustOf(db: Db, { clock, policy }: Services, userId: string): Promise<Trust> {
  const [row] = await db.query<{ paid: number; since: Date | null }>(
    `with own as materialized (
       select debit_account, created_at, amount from transfer
       where credit_account = (select id from account where user_id = $1))
     select coalesce(sum(amount), 0)::bigint as paid, min(at) as since from (
       select paid_at as at, payment.amount
         - (select coalesce(sum(amount), 0) from refund where payment_id = payment.id and state <> 'failed')
         - (select coalesce(sum(amount), 0) from dispute where payment_id = payment.id and state <> 'won') as amount
       from payment where user_id = $1 and state = 'paid' and kind <> 'gift'
       union all
       select created_at, amount from own
       where debit_account = (select id from account where kind = 'adjustments' and kind <> 'customer')) funds
     where amount > 0`,
    [userId],
  )
  if (row === undefined || row.since === null || row.paid <= 0) {
    const tier = (await hasPaidGift(db, userId)) ? 'newly_paid' : 'never_paid'
    return { tier, paidMicroUsd: 0, paidSince: null }
  }
  const { afterDays, paidMicroUsd } = policy.established
  const isOld = clock.now().getTime() - row.since.getTime() >= afterDays * dayMs
  const tier = isOld && row.paid >= paidMicroUsd ? 'established' : 'newly_paid'
  return { tier, paidMicroUsd: row.paid, paidSince: row.since }
}

/** Whether the user has redeemed a booklet whose payment was neither contested nor refunded in whole since. */
async function hasPaidGift(db: Db, userId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from gift join payment on payment.id = gift.payment_id
     where redeemed_by = $1 and ${isUncontested('payment')} and ${keptOf('payment')} > 0 limit 1`,
    [userId],
  )
  return rows.length > 0
}

export async function limitsOf(db: Db, services: Services, userId: string): Promise<TierLimits> {
  return services.policy.tiers[await tierOf(db, services, userId)]
}

/**
 * The micro-dollars of a balance that no live call holds. A call holds its rate for each unpaid minute of its limit.
 * One statement, since the meter charges without the user's lock.
 * @param except a call whose own hold is not counted
 */
export async function unheldBalance(db: Db, userId: string, except: string | null = null): Promise<number> {
  const [row] = await db.query<{ unheld: number }>(
    `select (balance - coalesce((
       select sum(rate * greatest(0, ceil(limit_ms / 60000.0) - coalesce(minutes, 0)))
       from (select call.id, call.rate, call.limit_ms, call_meter.minutes from call
         left join call_meter on call_meter.call_id = call.id
         where call.user_id = $1 and call.state <> 'ended' and not call.free and call.id is distinct from $2::uuid
           and coalesce(call_meter.state, 'running') = 'running') running), 0))::bigint as unheld
     from account where user_id = $1`,
    [userId, except],
  )
  return Math.max(0, row?.unheld ?? 0)
}

export interface Usage {
  readonly attemptsLastHour: number
  /** Includes live calls that may still be answered; excludes test calls. */
  readonly answeredLastHour: number
  readonly answeredLastDay: number
  /** When the oldest call of each window was placed; null without one. */
  readonly oldestAttempt: Date | null
  readonly oldestAnsweredLastHour: Date | null
  readonly oldestAnsweredLastDay: Date | null
}

export async function usageOf(db: Db, userId: string, now: Date): Promise<Usage> {
  const [row] = await db.query<Usage>(
    `select count(*) filter (where last_hour)::int as "attemptsLastHour",
       count(*) filter (where last_hour and answered)::int as "answeredLastHour",
       count(*) filter (where answered)::int as "answeredLastDay",
       min(placed_at) filter (where last_hour) as "oldestAttempt",
       min(placed_at) filter (where last_hour and answered) as "oldestAnsweredLastHour",
       min(placed_at) filter (where answered) as "oldestAnsweredLastDay"
     from (select placed_at, placed_at > $2 as last_hour,
         purpose is null and (answered_at is not null or state <> 'ended') as answered
       from call where user_id = $1 and placed_at > $3) recent`,
    [userId, new Date(now.getTime() - dayMs / 24), new Date(now.getTime() - dayMs)],
  )
  if (row === undefined) throw new Error('an aggregate gave no row')
  return row
}
