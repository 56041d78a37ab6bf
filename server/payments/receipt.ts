import type { ReceiptRecord } from '#lib/api/payments.ts'
import { company } from '#lib/company.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { formatCard, formatReceipt, vatWithin } from '#lib/money/receipts.ts'
import type { Db } from '../db/port.ts'
import { type PaymentRow, paymentColumns } from './rows.ts'

/** The receipt of a paid payment of this user; payments of other users count as not found (REL-39). */
export async function findReceipt(
  db: Db,
  userId: string,
  paymentId: string,
): Promise<ReceiptRecord | undefined> {
  const [row] = await db.query<
    PaymentRow & { billed_name: string | null; billed_email: string | null; to_name: string | null }
  >(
    `select ${paymentColumns}, billed_name, billed_email, gift.to_name from payment
     left join gift on gift.payment_id = payment.id
     where payment.id = $1 and payment.user_id = $2 and state = 'paid'`,
    [paymentId, userId],
  )
  if (row === undefined || row.receipt === null || row.paid_at === null) return undefined
  // The account was deleted.
  if (row.billed_email === null) return undefined
  const { amount_micro_usd: amountMicroUsd, bonus, card_brand, card_last4 } = row
  const waits = row.held > 0 && row.released_at === null
  const vat = vatWithin(amountMicroUsd, row.paid_at, company.vat)
  return {
    number: formatReceipt(row.receipt, row.paid_at),
    paidAt: row.paid_at.toISOString(),
    name: row.billed_name,
    email: row.billed_email,
    card: card_brand === null || card_last4 === null ? null : formatCard(card_brand, card_last4),
    reference: row.intent_ref ?? row.id,
    automatic: row.kind === 'auto_topup',
    giftFor: row.kind === 'gift' ? (row.to_name ?? '') : null,
    amount: microUsdToUsd(amountMicroUsd),
    bonus: microUsdToUsd(bonus),
    held: waits ? microUsdToUsd(row.held + bonus) : 0,
    refunded: microUsdToUsd(row.refunded),
    vat: vat && { number: vat.number, percent: vat.percent, amount: microUsdToUsd(vat.amountMicroUsd) },
  }
}
