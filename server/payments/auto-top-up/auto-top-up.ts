import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { bonusCredits } from '#lib/money/credits.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { autoTopUpNotice } from '../../identity/top-up-trouble.ts'
import { findUser, lockUser, type UserRow } from '../../identity/users.ts'
import { inLanguage } from '../../languages/languages.ts'
import { queueEmailTo } from '../../mail/queue-email.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { tierOf } from '../../spending/trust-tier.ts'
import { autoTopUpLimitEmail } from '../emails/auto-top-up-emails.ts'
import { reviewOf } from '../review.ts'
import { autoTopUpLimit, readAutoTopUpHistory } from './auto-top-up-limits.ts'

const batch = 50

/** A user has at most one charge in flight, however many requests there are. @returns how many requests there were */
export async function startRequestedTopUps(services: Services): Promise<number> {
  const requests = await services.db.query<{ user_id: string }>(
    `select user_id from auto_topup_wish join account on account.id = account_id order by wished_at limit ${batch}`,
  )
  for (const { user_id } of requests) {
    try {
      await startTopUp(services, user_id)
    } catch (error) {
      services.log.error({ err: error }, 'starting an auto top-up failed')
    }
  }
  return requests.length
}

async function startTopUp(services: Services, userId: string): Promise<void> {
  const notice = await services.db.transaction(async tx => {
    const locked = await lockUser(tx, userId)
    if (locked === undefined) return undefined
    const claimed = await tx.query('delete from auto_topup_wish where account_id = $1 returning account_id', [
      locked.account_id,
    ])
    // Reread: a charge made while this request was open did not add another one.
    const user = claimed.length === 1 ? await findUser(tx, userId) : undefined
    return user !== undefined && isTopUpDue(user) ? writeDown(tx, services, user) : undefined
  })
  if (notice !== undefined) await announceBalance(services, userId, notice)
}

export function isTopUpDue(user: UserRow): boolean {
  return (
    user.auto_topup_enabled &&
    user.has_saved_payment_method &&
    user.can_call &&
    user.balance <= lowBalanceMicroUsd
  )
}

/** @returns a message for the user's pages, if any */
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
  const { held } = await reviewOf(
    tx,
    services,
    { kind: 'auto_topup', ...order, userId: user.id, amountMicroUsd: order.amount_micro_usd },
    at,
  )
  // Do not charge a card for credits that would all wait for review.
  const waits = held === order.amount_micro_usd
  if (limit !== undefined || waits)
    return notifyTopUpLimit(tx, services, user, at, waits ? 'review' : 'limit')
  const id = random.uuid()
  const usd = order.amount_micro_usd / microUsdPerUsd
  await tx.query(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at,
       language)
     values ($1, $2, 'auto_topup', 'open', $3, $4, $5, false, $6, $7, $8)`,
    [
      id,
      user.id,
      payments.provider,
      order.amount_micro_usd,
      bonusCredits(usd) * microUsdPerUsd,
      order.consented_at,
      at,
      user.language,
    ],
  )
  await tx.query(
    'insert into auto_topup_charge (payment_id, customer_ref, method_ref, try_at) values ($1, $2, $3, $4)',
    [id, order.customer_ref, order.method_ref, at],
  )
  return undefined
}

interface LastBought {
  readonly amount_micro_usd: number
  readonly customer_ref: string
  readonly method_ref: string
  readonly fingerprint: string
  readonly consented_at: Date
}

/** The user's last checkout purchase and saved card; undefined if either is missing. */
async function lastBought(tx: Db, userId: string, provider: string): Promise<LastBought | undefined> {
  const [row] = await tx.query<LastBought>(
    `select amount as amount_micro_usd, customer_ref, method_ref, fingerprint, consented_at
     from payment join saved_card on saved_card.user_id = payment.user_id and saved_card.provider = $2
     where payment.user_id = $1 and payment.provider = $2 and kind = 'checkout' and state = 'paid'
     order by paid_at desc limit 1`,
    [userId, provider],
  )
  return row
}

/** At most once a day, since each minute of a call would trigger it again. */
async function notifyTopUpLimit(
  tx: Db,
  services: Services,
  user: UserRow,
  at: Date,
  why: 'limit' | 'review',
): Promise<string | undefined> {
  const marked = await tx.query(
    `update app_user set auto_topup_limit_told_at = $2
     where id = $1 and coalesce(auto_topup_limit_told_at, '-infinity') <= $3 returning id`,
    [user.id, at, new Date(at.getTime() - dayMs)],
  )
  if (marked.length === 0) return undefined
  const template = () => autoTopUpLimitEmail(services.publicUrl, user.balance, why)
  await queueEmailTo(tx, `auto-topup-limit:${user.id}:${at.toISOString()}`, user, template, at)
  return inLanguage(user.language, () => autoTopUpNotice(why))
}
