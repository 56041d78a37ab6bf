import { lowBalanceMicroUsd } from '#lib/rules/balance.ts'
import { bonusCredits } from '#lib/rules/credits.ts'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import type { Db } from '../../db/port.ts'
import { autoTopUpLimitLetter } from '../../mail/auto-top-up-letters.ts'
import { announceBalance } from '../announce.ts'
import { tierOf } from '../calls/standing.ts'
import type { Services } from '../context.ts'
import { queueLetter } from '../queue-letter.ts'
import { findUser, lockUser, type UserRow } from '../users.ts'
import { autoTopUpLimit, readAutoTopUpHistory } from './auto-top-up-limits.ts'
import { autoTopUpNotice } from './auto-top-up-words.ts'
import { heldPart } from './fulfil.ts'

/** How many wishes one turn takes. */
const batch = 50
const dayMs = 24 * 3600_000

/**
 * Notes, where a charge for a call left a balance at the low-credit mark and auto top-up is on, that the card is to be
 * charged. In the charge's own transaction, after it locked the account; the meter does it within its one statement.
 */
export async function wishAutoTopUp(tx: Db, userId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into auto_topup_wish (account_id, wished_at)
     select account.id, $2 from account join app_user on app_user.id = user_id
     where app_user.id = $1 and balance <= $3 and auto_topup_enabled
     on conflict do nothing`,
    [userId, at, lowBalanceMicroUsd],
  )
}

/**
 * Takes the wishes that are there and writes a charge down for each that may be made now. Wishes of any number of calls
 * and processes lead to one charge in flight for a user.
 * @returns how many wishes there were
 */
export async function startWishedTopUps(services: Services): Promise<number> {
  const wishes = await services.db.query<{ user_id: string }>(
    `select user_id from auto_topup_wish join account on account.id = account_id order by wished_at limit ${batch}`,
  )
  for (const { user_id } of wishes) {
    try {
      await startTopUp(services, user_id)
    } catch (error) {
      services.log.error({ err: error }, 'an auto top-up was not begun')
    }
  }
  return wishes.length
}

async function startTopUp(services: Services, userId: string): Promise<void> {
  const notice = await services.db.transaction(async tx => {
    const locked = await lockUser(tx, userId)
    if (locked === undefined) return undefined
    const taken = await tx.query('delete from auto_topup_wish where account_id = $1 returning account_id', [
      locked.account_id,
    ])
    // Read anew: a charge that finds this wish still standing has told nobody else what it left.
    const user = taken.length === 1 ? await findUser(tx, userId) : undefined
    return user !== undefined && isTopUpDue(user) ? writeDown(tx, services, user) : undefined
  })
  if (notice !== undefined) await announceBalance(services, userId, notice)
}

/** Whether the user's card is to be charged, as far as the user goes. */
export function isTopUpDue(user: UserRow): boolean {
  return (
    user.auto_topup_enabled &&
    user.has_saved_payment_method &&
    user.can_call &&
    user.balance <= lowBalanceMicroUsd
  )
}

/** @returns what the user is to be told at once, if there is something */
async function writeDown(tx: Db, services: Services, user: UserRow): Promise<string | undefined> {
  const { payments, random, clock, paymentPolicy } = services
  const at = clock.now()
  const order = await lastBought(tx, user.id, payments.provider)
  if (order === undefined) return undefined
  const rate = paymentPolicy.autoTopUp.tiers[await tierOf(tx, services, user.id)]
  const limit = autoTopUpLimit(rate, await readAutoTopUpHistory(tx, user.id, user.auto_topup_failures, at))
  if (limit === 'failed_lately') return undefined
  const inFlight = await tx.query(
    `select 1 from payment where user_id = $1 and kind = 'auto_topup' and state = 'open'`,
    [user.id],
  )
  if (inFlight.length > 0) return undefined
  const held = await heldPart(tx, services, { user_id: user.id, amount: order.amount }, at)
  // Nobody's card is charged for credits of which none can be used now.
  const waits = held === order.amount
  if (limit !== undefined || waits) return tellLimit(tx, services, user, at, waits ? 'review' : 'limit')
  const id = random.uuid()
  const usd = order.amount / microUsdPerUsd
  await tx.query(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at)
     values ($1, $2, 'auto_topup', 'open', $3, $4, $5, false, $6, $7)`,
    [
      id,
      user.id,
      payments.provider,
      order.amount,
      bonusCredits(usd) * microUsdPerUsd,
      order.consented_at,
      at,
    ],
  )
  await tx.query(
    'insert into auto_topup_charge (payment_id, customer_ref, method_ref, try_at) values ($1, $2, $3, $4)',
    [id, order.customer_ref, order.method_ref, at],
  )
  return undefined
}

interface LastBought {
  /** Micro-dollars. */
  readonly amount: number
  readonly customer_ref: string
  readonly method_ref: string
  readonly consented_at: Date
}

/** What the user last bought at a checkout, and the card to charge; undefined without either. */
async function lastBought(tx: Db, userId: string, provider: string): Promise<LastBought | undefined> {
  const [row] = await tx.query<LastBought>(
    `select amount, customer_ref, method_ref, consented_at
     from payment join saved_card on saved_card.user_id = payment.user_id and saved_card.provider = $2
     where payment.user_id = $1 and payment.provider = $2 and kind = 'checkout' and state = 'paid'
     order by paid_at desc limit 1`,
    [userId, provider],
  )
  return row
}

/** Once a day: each minute of a call would ask for it again. */
async function tellLimit(
  tx: Db,
  services: Services,
  user: UserRow,
  at: Date,
  why: 'limit' | 'review',
): Promise<string | undefined> {
  const told = await tx.query(
    `update app_user set auto_topup_limit_told_at = $2
     where id = $1 and coalesce(auto_topup_limit_told_at, '-infinity') <= $3 returning id`,
    [user.id, at, new Date(at.getTime() - dayMs)],
  )
  if (told.length === 0) return undefined
  const letter = autoTopUpLimitLetter(services.publicUrl, user.balance, why)
  await queueLetter(tx, `auto-topup-limit:${user.id}:${at.toISOString()}`, user.email, letter, at)
  return autoTopUpNotice(why)
}
