import { currentLanguage } from '#lib/i18n/language.ts'
import { giftCodeBytes, giftCodeOf } from '#lib/money/gift-code.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { dayMs, hourMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { lockUser } from '../../identity/users.ts'
import {
  askForCheckout,
  type CheckoutRejection,
  isStillOpen,
  sameCheckoutMs,
  type Written,
} from '../checkout.ts'
import { type PaymentRow, paymentColumns } from '../rows.ts'
import { hashGiftCode, sealGiftCode } from './gift-rows.ts'

/** Cleaned texts of a booklet. */
export interface GiftOrder {
  /** Whole US dollars, 5 to 200. */
  readonly amountUsd: number
  readonly fromName: string
  readonly toName: string
  readonly message: string
  readonly recipientEmail: string | null
}

export type GiftRejection =
  | Exclude<CheckoutRejection, 'credits_mismatch'>
  | 'email_unverified'
  | 'gift_limit'
  | 'unauthorized'

/** Like `openCheckout`: the payment is written first, and a repeated order returns the same checkout. */
export async function openGiftCheckout(
  services: Services,
  userId: string,
  order: GiftOrder,
): Promise<Result<{ url: string }, GiftRejection>> {
  const written = await writeDown(services, userId, order)
  if (!written.ok) return written
  if (!written.value.found || (await isStillOpen(services, written.value.payment)))
    return askForCheckout(services, written.value)
  const anew = await writeDown(services, userId, order)
  return anew.ok ? askForCheckout(services, anew.value) : anew
}

async function writeDown(
  services: Services,
  userId: string,
  order: GiftOrder,
): Promise<Result<Written, GiftRejection>> {
  return services.db.transaction(async tx => {
    const user = await lockUser(tx, userId)
    if (user === undefined || user.deleted_at !== null) return failure('unauthorized')
    if (user.email_verified_at === null) return failure('email_unverified')
    if (!user.can_call) return failure('call_blocked')
    const now = services.clock.now()
    const facts = { email: user.email, customerRef: null }
    const same = await findSame(tx, services, userId, order, now)
    if (same !== undefined) return success({ ...facts, payment: same, found: true })
    const { checkoutsPerHour, gift } = services.paymentPolicy
    const [recent] = await tx.query<{ opened: number; paid: number }>(
      `select (count(*) filter (where kind <> 'auto_topup' and created_at > $2))::int as opened,
         coalesce(sum(amount) filter (where kind = 'gift' and state = 'paid' and paid_at > $3), 0)::bigint as paid
       from payment where user_id = $1 and (created_at > $2 or paid_at > $3)`,
      [userId, new Date(now.getTime() - hourMs), new Date(now.getTime() - dayMs)],
    )
    if ((recent?.opened ?? 0) >= checkoutsPerHour) return failure('too_many_checkouts')
    if ((recent?.paid ?? 0) + order.amountUsd * microUsdPerUsd > gift.dailyMicroUsd)
      return failure('gift_limit')
    return success({ ...facts, payment: await insert(tx, services, userId, order, now), found: false })
  })
}

async function findSame(
  tx: Db,
  { payments }: Services,
  userId: string,
  order: GiftOrder,
  now: Date,
): Promise<PaymentRow | undefined> {
  const [row] = await tx.query<PaymentRow>(
    `select ${paymentColumns} from payment join gift on payment_id = payment.id
     where payment.user_id = $1 and state = 'open' and kind = 'gift' and provider = $2 and amount = $3
       and from_name = $4 and to_name = $5 and message = $6 and recipient_email is not distinct from $7::text
       and payment.created_at > $8 and payment.language = $9
     order by payment.created_at desc limit 1`,
    [
      userId,
      payments.provider,
      order.amountUsd * microUsdPerUsd,
      order.fromName,
      order.toName,
      order.message,
      order.recipientEmail,
      new Date(now.getTime() - sameCheckoutMs),
      currentLanguage(),
    ],
  )
  return row
}

/** Every gift asks the buyer's bank to authenticate: its credits go where a dispute cannot fetch them back. */
async function insert(
  tx: Db,
  services: Services,
  userId: string,
  order: GiftOrder,
  now: Date,
): Promise<PaymentRow> {
  const { payments, random } = services
  const [row] = await tx.query<PaymentRow>(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at,
       authenticate, language)
     values ($1, $2, 'gift', 'open', $3, $4, 0, false, $5, $5, true, $6) returning ${paymentColumns}`,
    [random.uuid(), userId, payments.provider, order.amountUsd * microUsdPerUsd, now, currentLanguage()],
  )
  if (row === undefined) throw new Error('a payment was not written')
  const code = giftCodeOf(random.bytes(giftCodeBytes))
  await tx.query(
    `insert into gift (payment_id, user_id, created_at, from_name, to_name, message, recipient_email, code_hash,
       code_sealed) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      userId,
      now,
      order.fromName,
      order.toName,
      order.message,
      order.recipientEmail,
      hashGiftCode(code),
      sealGiftCode(services, code),
    ],
  )
  return row
}
