import type { CheckoutView } from '#lib/api/local-checkout.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Db } from '../../db/port.ts'
import type { CheckoutOrder, PaymentUpdate } from '../port.ts'
import { type IntentRow, intentColumns, paidUpdate, sourceOf } from './intents.ts'
import { publish } from './outbox.ts'
import { type LocalTools, newRef } from './tools.ts'

export interface CheckoutRow extends IntentRow {
  readonly checkout_ref: string
  readonly email: string
  readonly description: string
  readonly purpose: CheckoutOrder['purpose']
  readonly saves_card: boolean
  readonly success_url: string
  readonly cancel_url: string
  readonly expires_at: Date
}

const checkoutColumns = `${intentColumns}, c.ref as checkout_ref, c.email, c.description, c.purpose, c.saves_card, c.success_url,
  c.cancel_url, c.expires_at`

/** Opens a checkout, or returns the one opened earlier for this payment. */
export async function openCheckout(tools: LocalTools, order: CheckoutOrder): Promise<string> {
  return tools.db.transaction(async tx => {
    const [made] = await tx.query<{ ref: string }>(
      `insert into local_intent (ref, payment_id, customer_ref, amount, state) values ($1, $2, $3, $4, 'open')
       on conflict (payment_id) do nothing returning ref`,
      [
        newRef(tools.random, 'pi'),
        order.paymentId,
        order.customerRef ?? newRef(tools.random, 'cus'),
        order.amountMicroUsd,
      ],
    )
    if (made !== undefined) {
      const checkoutRef = newRef(tools.random, 'cs')
      await tx.query(
        `insert into local_checkout
           (ref, intent_ref, email, description, saves_card, success_url, cancel_url, expires_at, purpose)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          checkoutRef,
          made.ref,
          order.email,
          order.description,
          order.savesCard,
          order.successUrl,
          order.cancelUrl,
          order.expiresAt,
          order.purpose,
        ],
      )
      return checkoutRef
    }
    const [known] = await tx.query<{ ref: string }>(
      `select c.ref from local_checkout c join local_intent i on i.ref = c.intent_ref
       where i.payment_id = $1 and i.amount = $2`,
      [order.paymentId, order.amountMicroUsd],
    )
    if (known === undefined) throw new Error('this payment was ordered otherwise before')
    return known.ref
  })
}

/** Locks a checkout until the transaction ends, and expires it first if its time is over. */
export async function lockCheckout(tools: LocalTools, tx: Db, ref: string): Promise<CheckoutRow | undefined> {
  const [row] = await tx.query<CheckoutRow>(
    `select ${checkoutColumns} from local_checkout c join local_intent i on i.ref = c.intent_ref
     where c.ref = $1 for update of i`,
    [ref],
  )
  if (row === undefined || !isPending(row) || row.expires_at > tools.clock.now()) return row
  return expire(tools, tx, row)
}

function isPending({ state }: CheckoutRow): boolean {
  return state === 'open' || state === 'authenticating'
}

async function expire(tools: LocalTools, tx: Db, row: CheckoutRow): Promise<CheckoutRow> {
  await tx.query(`update local_intent set state = 'expired' where ref = $1`, [row.ref])
  await publish(tools, tx, sourceOf(row), expiredUpdate(row))
  return { ...row, state: 'expired' }
}

function expiredUpdate(row: CheckoutRow): PaymentUpdate & { kind: 'checkout_expired' } {
  return { kind: 'checkout_expired', paymentId: row.payment_id, checkoutRef: row.checkout_ref }
}

export async function closeCheckout(tools: LocalTools, ref: string): Promise<void> {
  await tools.db.transaction(async tx => {
    const row = await lockCheckout(tools, tx, ref)
    if (row !== undefined && isPending(row)) await expire(tools, tx, row)
  })
}

export async function expireDue(tools: LocalTools): Promise<void> {
  const due = await tools.db.query<{ ref: string }>(
    `select c.ref from local_checkout c join local_intent i on i.ref = c.intent_ref
     where i.state in ('open', 'authenticating') and c.expires_at <= $1 order by c.expires_at limit 50`,
    [tools.clock.now()],
  )
  for (const { ref } of due) await tools.db.transaction(tx => lockCheckout(tools, tx, ref))
}

/** The checkout's state in the form of its event; null while it is open. */
export async function lookUp(tools: LocalTools, ref: string): Promise<PaymentUpdate | null> {
  const row = await tools.db.transaction(tx => lockCheckout(tools, tx, ref))
  if (row === undefined) throw new Error('there is no such checkout')
  if (row.state === 'paid') return paidUpdate(row, row.checkout_ref)
  return row.state === 'expired' ? expiredUpdate(row) : null
}

export async function describeCheckout(tx: Db, row: CheckoutRow): Promise<CheckoutView> {
  if (row.state === 'refused') throw new Error('a checkout is never refused for good')
  const events = await tx.query<{ type: string; delivered: boolean; answer: number | null }>(
    `select type, delivered_at is not null as delivered, answer from local_event where intent_ref = $1
     order by id`,
    [row.ref],
  )
  return {
    state: row.state,
    amount: microUsdToUsd(row.amount_micro_usd),
    description: row.description,
    purpose: row.purpose,
    email: row.email,
    savesCard: row.saves_card,
    last4: row.last4,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    events,
  }
}
