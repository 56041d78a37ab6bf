import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { keptOf } from '../ledger/kept.ts'
import { queueEmail } from '../mail/queue-email.ts'
import type { PaymentUpdate } from '../payment-provider/port.ts'
import { fraudWarningEmail } from './emails/fraud-warning-email.ts'
import { blockWhileContested } from './payment-block.ts'
import { writeRefundDown } from './refunds/refund-rows.ts'
import { type LockedPayment, lockPayment } from './rows.ts'

export type FraudWarningUpdate = Extract<PaymentUpdate, { kind: 'fraud_warning' }>

/**
 * Refunds what is left of a payment that a bank reports as fraud, before the card's owner disputes it. Blocks calls
 * until an operator unblocks the account (ADR-50).
 * @returns the payment, if it is paid
 */
export async function applyFraudWarning(
  tx: Db,
  services: Services,
  { warningRef, intentRef }: FraudWarningUpdate,
): Promise<LockedPayment | undefined> {
  await tx.query(
    `insert into fraud_warning (ref, intent_ref, created_at) values ($1, $2, $3) on conflict (ref) do nothing`,
    [warningRef, intentRef, services.clock.now()],
  )
  const [paid] = await tx.query<{ id: string }>(
    `select id from payment where intent_ref = $1 and state = 'paid'`,
    [intentRef],
  )
  const locked = paid && (await lockPayment(tx, paid.id))
  if (locked !== undefined) await settleFraudWarnings(tx, services, locked)
  return locked
}

/** Applies pending warnings about a paid payment. The payment must be locked. */
export async function settleFraudWarnings(tx: Db, services: Services, locked: LockedPayment): Promise<void> {
  const { user, payment } = locked
  const fresh = await tx.query(
    'update fraud_warning set payment_id = $1 where intent_ref = $2 and payment_id is null returning ref',
    [payment.id, payment.intent_ref],
  )
  if (fresh.length === 0) return
  await blockWhileContested(tx, user.id)
  const [left] = await tx.query<{ kept: number }>(
    `select ${keptOf('payment')} as kept from payment where id = $1`,
    [payment.id],
  )
  const keptMicroUsd = left?.kept ?? 0
  if (keptMicroUsd <= 0) return
  const at = services.clock.now()
  await writeRefundDown(tx, locked, {
    key: services.random.uuid(),
    amountMicroUsd: keptMicroUsd,
    at,
    requestedBy: 'system',
  })
  services.log.warn({ paymentId: payment.id }, 'a payment was reported as fraud and is refunded')
  const template = fraudWarningEmail(services.publicUrl, payment, keptMicroUsd)
  await queueEmail(tx, `fraud-warning:${payment.id}`, user.email, template, at)
}
