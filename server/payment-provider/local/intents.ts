import type { Delivery } from '#lib/api/local-checkout.ts'
import type { CardBehaviour } from '#lib/money/test-cards.ts'
import type { Db } from '../../db/port.ts'
import type { CardRejection, PaymentUpdate } from '../port.ts'

export interface IntentRow {
  readonly ref: string
  readonly payment_id: string
  readonly customer_ref: string
  /** Micro-dollars. */
  readonly amount_micro_usd: number
  readonly refunded: number
  readonly state: 'open' | 'authenticating' | 'paid' | 'refused' | 'expired'
  readonly rejection: CardRejection | null
  readonly brand: string | null
  readonly last4: string | null
  readonly fingerprint: string | null
  readonly behaviour: CardBehaviour | null
  readonly delivery: Delivery
  readonly method_ref: string | null
}

export const intentColumns = `i.ref, i.payment_id, i.customer_ref, i.amount as amount_micro_usd, i.refunded, i.state, i.refusal as rejection,
  i.brand, i.last4, i.fingerprint, i.behaviour, i.delivery, i.method_ref`

/** Locks an intent until the transaction ends. Every change of an intent requires this lock. */
export async function lockIntent(
  tx: Db,
  by: { readonly ref: string } | { readonly paymentId: string },
): Promise<IntentRow | undefined> {
  const [column, value] = 'ref' in by ? ['ref', by.ref] : ['payment_id', by.paymentId]
  const [row] = await tx.query<IntentRow>(
    `select ${intentColumns} from local_intent i where i.${column} = $1 for update`,
    [value],
  )
  return row
}

export function paidUpdate(intent: IntentRow, checkoutRef: string | null): PaymentUpdate & { kind: 'paid' } {
  const { brand, last4, fingerprint, customer_ref: customerRef, method_ref: methodRef } = intent
  const known = brand !== null && last4 !== null && fingerprint !== null
  return {
    kind: 'paid',
    paymentId: intent.payment_id,
    checkoutRef,
    intentRef: intent.ref,
    amountMicroUsd: intent.amount_micro_usd,
    card: known ? { brand, last4, fingerprint } : null,
    kept: methodRef === null || checkoutRef === null ? null : { customerRef, methodRef },
  }
}

export function sourceOf(intent: IntentRow): { intentRef: string; delivery: Delivery } {
  return { intentRef: intent.ref, delivery: intent.delivery }
}
