import { failure, type Result, success } from '#lib/result.ts'
import type { Tier } from '../config/policy.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { findUserByEmail, type UserRow } from '../identity/users.ts'
import { audit } from '../observability/audit.ts'
import { eventSubject } from '../observability/security-events.ts'
import { limitsSetBy } from '../spending/caps.ts'
import { tierOf, unheldBalance } from '../spending/trust-tier.ts'

export interface LookUp {
  readonly email: string
  readonly actor: string
}

/** An account as shown to an operator. Amounts in micro-dollars, times in ISO 8601. */
export interface AccountFacts {
  readonly id: string
  readonly email: string
  readonly since: string
  readonly confirmed: boolean
  readonly balance: number
  /** Reserved by running calls. */
  readonly held: number
  readonly tier: Tier
  readonly canCall: boolean
  readonly blockedReason: string | null
  readonly freeCall: UserRow['free_call']
  /** The user's own caps, micro-dollars; null: none. */
  readonly capPerCall: number | null
  readonly capPerMonth: number | null
  /** ISO codes. */
  readonly locked: readonly string[]
  readonly calls: number
  readonly testCalls: number
  /** Goodwill credits in total. */
  readonly credited: number
  readonly payments: number
  /** The account's name in security events. */
  readonly eventName: string
}

export interface CallFacts {
  readonly placedAt: string
  readonly to: string
  readonly state: string
  readonly seconds: number
  readonly cost: number
  readonly free: boolean
  /** A test call to a number of their own. */
  readonly test: boolean
  readonly credited: number
}

export interface PaymentFacts {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly state: string
  readonly amountMicroUsd: number
  readonly refunded: number
  /** Waiting for review. */
  readonly held: number
  /** Reason of the review; null if there was none, and on old payments. */
  readonly held_for: 'amount' | 'card' | null
  readonly card: string | null
}

/** Max rows of a list, newest first. */
const listed = 20

export async function lookUpAccount(
  services: Services,
  asked: LookUp,
): Promise<Result<AccountFacts, 'unknown_account'>> {
  return lookUp(services, asked, 'account', async (db, user) => {
    const [row] = await db.query<{
      since: Date
      calls: number
      test_calls: number
      credited: number
      payments: number
    }>(
      `select created_at as since, (select count(*)::int from call where user_id = $1) as calls,
         (select count(*)::int from call where user_id = $1 and purpose = 'test') as test_calls,
         (select coalesce(sum(amount), 0)::bigint from call_credit where user_id = $1) as credited,
         (select count(*)::int from payment where user_id = $1 and state = 'paid') as payments
       from app_user where id = $1`,
      [user.id],
    )
    const { perCall, perMonth, locked } = await limitsSetBy(db, user.id)
    return {
      id: user.id,
      email: user.email,
      eventName: eventSubject(services, 'account', user.email),
      since: row?.since.toISOString() ?? '',
      confirmed: user.email_verified_at !== null,
      balance: user.balance,
      held: user.balance - (await unheldBalance(db, user.id)),
      tier: await tierOf(db, services, user.id),
      canCall: user.can_call,
      blockedReason: user.blocked_reason,
      freeCall: user.free_call,
      capPerCall: perCall,
      capPerMonth: perMonth,
      locked,
      calls: row?.calls ?? 0,
      testCalls: row?.test_calls ?? 0,
      credited: row?.credited ?? 0,
      payments: row?.payments ?? 0,
    }
  })
}

export async function lookUpCalls(
  services: Services,
  asked: LookUp,
): Promise<Result<CallFacts[], 'unknown_account'>> {
  return lookUp(services, asked, 'calls', async (db, user) => {
    const rows = await db.query<Omit<CallFacts, 'placedAt'> & { placed_at: Date }>(
      `select placed_at, to_number as "to", coalesce(outcome, state) as state, cost, free,
         purpose is not distinct from 'test' as test,
         coalesce((select amount from call_credit where call_id = call.id), 0) as credited,
         ceil(coalesce(answered_ms, 0) / 1000.0)::int as seconds
       from call where user_id = $1 order by placed_at desc, id desc limit ${listed}`,
      [user.id],
    )
    return rows.map(({ placed_at, ...facts }) => ({ placedAt: placed_at.toISOString(), ...facts }))
  })
}

export async function lookUpPayments(
  services: Services,
  asked: LookUp,
): Promise<Result<PaymentFacts[], 'unknown_account'>> {
  return lookUp(services, asked, 'payments', async (db, user) => {
    const rows = await db.query<Omit<PaymentFacts, 'at'> & { created_at: Date }>(
      `select id, created_at, kind, state, amount as "amountMicroUsd", refunded,
         case when state = 'paid' and released_at is null then held else 0 end as held, held_for,
         card_brand || ' ' || card_last4 as card
       from payment where user_id = $1 order by created_at desc, id desc limit ${listed}`,
      [user.id],
    )
    return rows.map(({ created_at, ...facts }) => ({ at: created_at.toISOString(), ...facts }))
  })
}

/** The look-up itself is audited. */
async function lookUp<Facts>(
  { db, clock }: Services,
  { email, actor }: LookUp,
  what: 'account' | 'calls' | 'payments',
  read: (db: Db, user: UserRow) => Promise<Facts>,
): Promise<Result<Facts, 'unknown_account'>> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) return failure('unknown_account')
  return db.transaction(async tx => {
    await audit(tx, { at: clock.now(), actor, action: 'look_up', subject: user.id, detail: { what } })
    return success(await read(tx, user))
  })
}
