import type { CheckoutReturn } from '#lib/api/payments.ts'
import { company } from '#lib/company.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { localPath } from '#lib/i18n/path.ts'
import { bonusCredits, creditsForUsd } from '#lib/money/credits.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { hourMs, minuteMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { lockUser } from '../identity/users.ts'
import { inLanguage } from '../languages/languages.ts'
import { isUncontested, keptOf } from '../ledger/kept.ts'
import type { CheckoutOrder } from '../payment-provider/port.ts'
import { answers } from './payment-texts.ts'
import { applyPaymentUpdate } from './receive.ts'
import { type PaymentRow, paymentColumns } from './rows.ts'

export interface CheckoutRequest {
  /** Whole US dollars, 5 to 4000. */
  readonly amountUsd: number
  /** Credits that the page shows for this amount. */
  readonly credits: number
  readonly referralId?: string | null | undefined
  /** The buyer agreed to save the card and have it charged when the balance is low. */
  readonly autoTopUpEnabled: boolean
  /** Where a cancelled checkout leads; Buy Credits by default. */
  readonly returnTo?: CheckoutReturn | undefined
}

export type CheckoutRejection =
  | 'credits_mismatch'
  | 'call_blocked'
  | 'too_many_checkouts'
  | 'payments_unavailable'

/** A repeated order within this time returns the same checkout. */
export const sameCheckoutMs = 10 * minuteMs
export const checkoutLifeMs = 2 * hourMs

/** Saves the payment first, with its id as idempotency key, so that any retry leads to the same checkout (REL-3, REL-29). */
export async function openCheckout(
  services: Services,
  userId: string,
  order: CheckoutRequest,
): Promise<Result<{ url: string }, CheckoutRejection | 'unauthorized'>> {
  if (creditsForUsd(order.amountUsd) !== order.credits) return failure('credits_mismatch')
  const written = await writeDown(services, userId, order)
  if (!written.ok) return written
  if (!written.value.found || (await isStillOpen(services, written.value.payment))) {
    return askForCheckout(services, written.value)
  }
  // The old checkout is settled by now, so this one is different.
  const anew = await writeDown(services, userId, order)
  return anew.ok ? askForCheckout(services, anew.value) : anew
}

/** A payment that the provider is not asked about yet. */
export interface Written {
  readonly payment: PaymentRow
  readonly email: string
  readonly customerRef: string | null
  readonly found: boolean
}

async function writeDown(
  services: Services,
  userId: string,
  order: CheckoutRequest,
): Promise<Result<Written, 'call_blocked' | 'too_many_checkouts' | 'unauthorized'>> {
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user === undefined || user.deleted_at !== null) return failure('unauthorized')
    // A blocked user cannot use credits, and a card reported for fraud must not pay again.
    if (!user.can_call) return failure('call_blocked')
    const now = services.clock.now()
    const [card] = await tx.query<{ customer_ref: string }>(
      'select customer_ref from saved_card where user_id = $1 and provider = $2',
      [userId, services.payments.provider],
    )
    const facts = { email: user.email, customerRef: card?.customer_ref ?? null }
    const same = await findSame(tx, services, userId, order, now)
    if (same !== undefined) return success({ ...facts, payment: same, found: true })
    const [recent] = await tx.query<{ opened: number }>(
      `select count(*)::int as opened from payment
       where user_id = $1 and kind <> 'auto_topup' and created_at > $2`,
      [userId, new Date(now.getTime() - hourMs)],
    )
    if ((recent?.opened ?? 0) >= services.paymentPolicy.checkoutsPerHour) return failure('too_many_checkouts')
    return success({ ...facts, payment: await insert(tx, services, userId, order, now), found: false })
  })
}

/** A recent identical checkout that is unpaid as far as we know. */
async function findSame(
  tx: Db,
  { payments }: Services,
  userId: string,
  order: CheckoutRequest,
  now: Date,
): Promise<PaymentRow | undefined> {
  const [row] = await tx.query<PaymentRow>(
    `select ${paymentColumns} from payment
     where user_id = $1 and state = 'open' and kind = 'checkout' and provider = $2 and amount = $3
       and saves_card = $4 and referral_code is not distinct from $5::text and created_at > $6
       and returns_to = $7 and language = $8
     order by created_at desc limit 1`,
    [
      userId,
      payments.provider,
      order.amountUsd * microUsdPerUsd,
      order.autoTopUpEnabled,
      order.referralId ?? null,
      new Date(now.getTime() - sameCheckoutMs),
      order.returnTo ?? 'buy_credits',
      currentLanguage(),
    ],
  )
  return row
}

async function insert(
  tx: Db,
  { payments, random }: Services,
  userId: string,
  order: CheckoutRequest,
  now: Date,
): Promise<PaymentRow> {
  const [row] = await tx.query<PaymentRow>(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, referral_code,
       express_request_at, created_at, returns_to, language, authenticate)
     values ($1, $2, 'checkout', 'open', $3, $4, $5, $6, $7, $8, $8, $9, $10,
       not exists (select 1 from payment earlier where earlier.user_id = $2 and earlier.state = 'paid'
         and ${keptOf('earlier')} > 0 and ${isUncontested('earlier')}))
     returning ${paymentColumns}`,
    [
      random.uuid(),
      userId,
      payments.provider,
      order.amountUsd * microUsdPerUsd,
      bonusCredits(order.amountUsd) * microUsdPerUsd,
      order.autoTopUpEnabled,
      order.referralId ?? null,
      now,
      order.returnTo ?? 'buy_credits',
      currentLanguage(),
    ],
  )
  if (row === undefined) throw new Error('a payment was not written')
  return row
}

/** Whether a checkout can still be paid. Settles one that was paid or expired but whose event is late. */
export async function isStillOpen(services: Services, { checkout_ref }: PaymentRow): Promise<boolean> {
  // The response to its opening was lost, so nobody has its URL; it will be opened again with its key.
  if (checkout_ref === null) return true
  const known = await services.payments.lookUp(checkout_ref)
  if (!known.ok || known.value === null) return true
  await applyPaymentUpdate(services, known.value)
  return false
}

/** @returns where the payment is made; asked again, the same */
export async function askForCheckout(
  services: Services,
  { payment, email, customerRef }: Written,
): Promise<Result<{ url: string }, 'payments_unavailable'>> {
  if (payment.checkout_url !== null) return success({ url: payment.checkout_url })
  const order = inLanguage(payment.language, () => orderOf(services, payment, email, customerRef))
  const opened = await services.payments.openCheckout(order)
  if (!opened.ok) return failure('payments_unavailable')
  const { checkoutRef, url } = opened.value
  await services.db.query(
    'update payment set checkout_ref = $2, checkout_url = $3 where id = $1 and checkout_url is null',
    [payment.id, checkoutRef, url],
  )
  return success({ url })
}

function orderOf(
  { publicUrl }: Services,
  payment: PaymentRow,
  email: string,
  customerRef: string | null,
): CheckoutOrder {
  const usd = payment.amount_micro_usd / microUsdPerUsd
  const isGift = payment.kind === 'gift'
  const description = isGift
    ? answers.booklet({ usd: `${usd}`, company: company.name })
    : answers.credits({ credits: `${creditsForUsd(usd)}`, company: company.name })
  return {
    paymentId: payment.id,
    userId: payment.user_id,
    email,
    amountMicroUsd: payment.amount_micro_usd,
    description,
    purpose: isGift ? 'gift' : 'credits',
    savesCard: payment.saves_card,
    consentText: answers.keepCard,
    authenticate: payment.authenticate,
    customerRef,
    successUrl: `${publicUrl}${localPath(`/${isGift ? 'send-a-line' : 'call'}?payment=success&order=${payment.id}`)}`,
    cancelUrl: `${publicUrl}${localPath(cancelledPath(payment, usd))}`,
    expiresAt: new Date(payment.created_at.getTime() + checkoutLifeMs),
  }
}

function cancelledPath({ kind, returns_to }: PaymentRow, usd: number): string {
  if (kind !== 'gift' && returns_to === 'call') return '/call?payment=cancelled'
  return `/${kind === 'gift' ? 'send-a-line' : 'buy-credits'}?payment=cancelled&amount=${usd}`
}
