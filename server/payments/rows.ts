import type { CheckoutReturn, PaymentState } from '#lib/api/payments.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Db } from '../db/port.ts'
import { lockUser, type UserRow } from '../identity/users.ts'
import type { CardRejection, PaymentProvider } from '../payment-provider/port.ts'

export interface PaymentRow {
  readonly id: string
  readonly user_id: string
  readonly kind: 'checkout' | 'auto_topup' | 'gift'
  readonly state: 'open' | 'paid' | 'failed' | 'expired'
  readonly provider: PaymentProvider
  /** Micro-dollars, like all money here. */
  readonly amount_micro_usd: number
  readonly bonus: number
  readonly held: number
  /** Why `held` waits; null if nothing does, and on old payments, which were held for their amount. */
  readonly held_for: 'amount' | 'card' | null
  readonly released_at: Date | null
  readonly checkout_ref: string | null
  readonly checkout_url: string | null
  readonly intent_ref: string | null
  readonly failure: CardRejection | null
  readonly saves_card: boolean
  readonly authenticate: boolean
  /** Where the checkout leads when it is cancelled. */
  readonly returns_to: CheckoutReturn
  /** BCP 47 tag of the page that opened the checkout, or of the account whose card is charged. */
  readonly language: string
  readonly card_brand: string | null
  readonly card_last4: string | null
  readonly refunded: number
  readonly receipt: number | null
  readonly created_at: Date
  readonly paid_at: Date | null
}

/** Never `*`, for the same reason as `callColumns`. */
export const paymentColumns = `payment.id, payment.user_id, payment.kind, payment.state, payment.provider,
  payment.amount as amount_micro_usd, payment.bonus, payment.held, payment.held_for, payment.released_at,
  payment.checkout_ref, payment.checkout_url, payment.intent_ref, payment.failure, payment.saves_card, payment.authenticate, payment.returns_to, payment.language,
  payment.card_brand, payment.card_last4, payment.refunded,
  payment.receipt, payment.created_at, payment.paid_at`

export interface LockedPayment {
  readonly user: UserRow
  readonly payment: PaymentRow
}

/** Locks a payment and its user until the transaction ends, always in the order user, payment. */
export async function lockPayment(tx: Db, paymentId: string): Promise<LockedPayment | undefined> {
  const [owner] = await tx.query<{ user_id: string }>('select user_id from payment where id = $1', [
    paymentId,
  ])
  if (owner === undefined) return undefined
  const user = await lockUser(tx, owner.user_id)
  const [payment] = await tx.query<PaymentRow>(
    `select ${paymentColumns} from payment where id = $1 for no key update`,
    [paymentId],
  )
  if (user === undefined || payment === undefined) throw new Error('a payment lost its user')
  return { user, payment }
}

/** A payment of this user; payments of other users count as not found (REL-39). */
export async function findPayment(
  db: Db,
  userId: string,
  paymentId: string,
): Promise<PaymentState | undefined> {
  const [row] = await db.query<PaymentRow>(
    `select ${paymentColumns} from payment where id = $1 and user_id = $2`,
    [paymentId, userId],
  )
  return row === undefined ? undefined : presentPayment(row)
}

function presentPayment(row: PaymentRow): PaymentState {
  const waits = row.held > 0 && row.released_at === null
  return {
    id: row.id,
    state: row.state === 'open' ? 'waiting' : row.state,
    amount: microUsdToUsd(row.amount_micro_usd),
    credits: microUsdToUsd(row.amount_micro_usd + row.bonus),
    held: waits ? microUsdToUsd(row.held + row.bonus) : 0,
  }
}
