import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { queueEmailTo } from '../mail/queue-email.ts'
import type { PaymentUpdate } from '../payment-provider/port.ts'
import { fraudWarningEmail } from './emails/fraud-warning-email.ts'
import { blockWhileContested } from './payment-block.ts'
import { refundRest } from './refunds/refund-rest.ts'
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
  const refundMicroUsd = await refundRest(tx, services, locked)
  if (refundMicroUsd === 0) return
  services.log.warn({ paymentId: payment.id }, 'a payment was reported as fraud and is refunded')
  const template = () => fraudWarningEmail(services.publicUrl, payment, refundMicroUsd)
  await queueEmailTo(tx, `fraud-warning:${payment.id}`, user, template, services.clock.now())
}
