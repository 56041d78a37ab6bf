import { company } from '#lib/company.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { bonusCredits, creditsForUsd } from '#lib/rules/credits.ts'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import type { Db } from '../../db/port.ts'
import type { CheckoutOrder } from '../../payments/port.ts'
import type { Services } from '../context.ts'
import { lockUser } from '../users.ts'
import { takeNews } from './receive.ts'
import { type PaymentRow, paymentColumns } from './rows.ts'

export interface CheckoutWish {
  /** Whole US dollars, 5 to 4000. */
  readonly amount: number
  /** What the page believes to be buying, in credits. */
  readonly credits: number
  readonly referralId?: string | null | undefined
  /** The buyer lets us keep the card and charge it when credits run low. */
  readonly autoTopUpEnabled: boolean
}

export type CheckoutRefusal = 'credits_mismatch' | 'too_many_checkouts' | 'payments_unavailable'

/** A second press of the button within this time leads to the same checkout. */
const sameCheckoutMs = 10 * 60_000
/** How long a checkout may be paid. */
export const checkoutLifeMs = 2 * 3600_000
const hourMs = 3600_000

/**
 * Opens a hosted checkout and gives its address. The payment is written down first and its id is the provider's
 * idempotency key, so whatever crashes in between, asking again leads to the same checkout (reliability rows 3 and 29).
 */
export async function openCheckout(
  services: Services,
  userId: string,
  wish: CheckoutWish,
): Promise<Result<{ url: string }, CheckoutRefusal | 'unauthorized'>> {
  if (creditsForUsd(wish.amount) !== wish.credits) return failure('credits_mismatch')
  const written = await writeDown(services, userId, wish)
  if (!written.ok) return written
  if (!written.value.found || (await isStillOpen(services, written.value.payment))) {
    return ask(services, written.value)
  }
  // It is settled by now, so the next one found or made is another.
  const anew = await writeDown(services, userId, wish)
  return anew.ok ? ask(services, anew.value) : anew
}

interface Written {
  readonly payment: PaymentRow
  readonly email: string
  readonly customerRef: string | null
  /** Opened before, and not made now. */
  readonly found: boolean
}

async function writeDown(
  services: Services,
  userId: string,
  wish: CheckoutWish,
): Promise<Result<Written, 'too_many_checkouts' | 'unauthorized'>> {
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user === undefined || user.deleted_at !== null) return failure('unauthorized')
    const now = services.clock.now()
    const [card] = await tx.query<{ customer_ref: string }>(
      'select customer_ref from saved_card where user_id = $1 and provider = $2',
      [userId, services.payments.provider],
    )
    const facts = { email: user.email, customerRef: card?.customer_ref ?? null }
    const same = await findSame(tx, services, userId, wish, now)
    if (same !== undefined) return success({ ...facts, payment: same, found: true })
    const [recent] = await tx.query<{ opened: number }>(
      `select count(*)::int as opened from payment
       where user_id = $1 and kind = 'checkout' and created_at > $2`,
      [userId, new Date(now.getTime() - hourMs)],
    )
    if ((recent?.opened ?? 0) >= services.paymentPolicy.checkoutsPerHour) return failure('too_many_checkouts')
    return success({ ...facts, payment: await insert(tx, services, userId, wish, now), found: false })
  })
}

/** An identical checkout of the last minutes that is unpaid, as far as we have heard. */
async function findSame(
  tx: Db,
  { payments }: Services,
  userId: string,
  wish: CheckoutWish,
  now: Date,
): Promise<PaymentRow | undefined> {
  const [row] = await tx.query<PaymentRow>(
    `select ${paymentColumns} from payment
     where user_id = $1 and state = 'open' and kind = 'checkout' and provider = $2 and amount = $3
       and saves_card = $4 and referral_code is not distinct from $5::text and created_at > $6
     order by created_at desc limit 1`,
    [
      userId,
      payments.provider,
      wish.amount * microUsdPerUsd,
      wish.autoTopUpEnabled,
      wish.referralId ?? null,
      new Date(now.getTime() - sameCheckoutMs),
    ],
  )
  return row
}

async function insert(
  tx: Db,
  { payments, random }: Services,
  userId: string,
  wish: CheckoutWish,
  now: Date,
): Promise<PaymentRow> {
  const [row] = await tx.query<PaymentRow>(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, referral_code,
       express_request_at, created_at)
     values ($1, $2, 'checkout', 'open', $3, $4, $5, $6, $7, $8, $8) returning ${paymentColumns}`,
    [
      random.uuid(),
      userId,
      payments.provider,
      wish.amount * microUsdPerUsd,
      bonusCredits(wish.amount) * microUsdPerUsd,
      wish.autoTopUpEnabled,
      wish.referralId ?? null,
      now,
    ],
  )
  if (row === undefined) throw new Error('a payment was not written')
  return row
}

/** Whether a checkout can still be paid. One that was paid or expired, and whose event is late, is settled here. */
async function isStillOpen(services: Services, { checkout_ref }: PaymentRow): Promise<boolean> {
  // The answer to its opening was lost, so nobody has its address: it is asked for again with its key.
  if (checkout_ref === null) return true
  const known = await services.payments.lookUp(checkout_ref)
  if (!known.ok || known.value === null) return true
  await takeNews(services, known.value)
  return false
}

async function ask(
  services: Services,
  { payment, email, customerRef }: Written,
): Promise<Result<{ url: string }, 'payments_unavailable'>> {
  if (payment.checkout_url !== null) return success({ url: payment.checkout_url })
  const opened = await services.payments.openCheckout(orderOf(services, payment, email, customerRef))
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
  const usd = payment.amount / microUsdPerUsd
  return {
    paymentId: payment.id,
    userId: payment.user_id,
    email,
    amountMicroUsd: payment.amount,
    description: `${creditsForUsd(usd)} ${company.name} credits`,
    savesCard: payment.saves_card,
    customerRef,
    successUrl: `${publicUrl}/call?payment=success&order=${payment.id}`,
    cancelUrl: `${publicUrl}/buy-credits?payment=cancelled&amount=${usd}`,
    expiresAt: new Date(payment.created_at.getTime() + checkoutLifeMs),
  }
}
