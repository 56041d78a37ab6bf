import * as z from 'zod/mini'
import { leastUsd, mostUsd } from '../rules/credits.ts'
import { endpoint } from './endpoint.ts'

/**
 * Opens a hosted checkout for this many whole US dollars (specification sections 5 and 7). The server computes
 * the credits itself and refuses another figure (decision 22).
 */
export const createCheckoutSession = endpoint({
  method: 'POST',
  path: '/api/payments/create-checkout-session',
  auth: 'bearer',
  body: z.object({
    amount: z.int().check(z.gte(leastUsd), z.lte(mostUsd)),
    credits: z.int().check(z.nonnegative()),
    referralId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
    autoTopUpEnabled: z.boolean(),
  }),
  status: 200,
  reply: z.object({ url: z.url() }),
  errors: { credits_mismatch: 400, too_many_checkouts: 429, payments_unavailable: 503 },
})

/** Auto top-up on or off. On needs a card that was kept. */
export const toggleAutoTopUp = endpoint({
  method: 'POST',
  path: '/api/payments/auto-topup-toggle',
  auth: 'bearer',
  body: z.object({ autoTopUpEnabled: z.boolean() }),
  status: 200,
  reply: z.object({ auto_topup_enabled: z.boolean() }),
  errors: { no_saved_card: 409 },
})

/** `waiting`: nothing has been heard of it yet. Money in US dollars. */
export const paymentState = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'paid', 'failed', 'expired']),
  amount: z.number(),
  /** Credits that it buys, bonus included. */
  credits: z.number(),
  /** Of these, what waits for a review. */
  held: z.number(),
})
export type PaymentState = z.output<typeof paymentState>

/** How one payment of this user's stands: for the page that a checkout returns to. */
export const payment = endpoint({
  method: 'GET',
  path: '/api/payments/:id',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  status: 200,
  reply: paymentState,
  errors: {},
})

/** Why a refund cannot be asked for now. */
const refundErrors = {
  already_asked: 409,
  /** By support, and not answered by the provider yet. */
  refund_under_way: 409,
  too_late: 409,
  disputed: 409,
  call_in_progress: 409,
  nothing_unused: 409,
} as const

/** What a refund of this user's payment would be now. Money in US dollars. */
export const refundOffer = endpoint({
  method: 'GET',
  path: '/api/payments/:id/refund',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  status: 200,
  reply: z.object({
    /** What goes back to the card, in whole cents. */
    amount: z.number(),
    /** What leaves the balance for it: more than the amount where a bonus came with the payment. */
    credits: z.number(),
    /** Until when it may be asked for. ISO 8601, UTC. */
    until: z.string(),
  }),
  errors: refundErrors,
})

/**
 * Asks for the refund of the unused part of a payment. `amount` is what the user was shown; another one by now is
 * refused. Asked again, it answers with how the first one stands.
 */
export const requestRefund = endpoint({
  method: 'POST',
  path: '/api/payments/:id/refund',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  body: z.object({ amount: z.number().check(z.positive(), z.lte(mostUsd)) }),
  status: 200,
  reply: z.object({ state: z.enum(['pending', 'succeeded']), amount: z.number() }),
  errors: { ...refundErrors, amount_changed: 409, refund_refused: 409 },
})

/** What stands on a receipt. Money in US dollars; times in ISO 8601, UTC. */
export const receiptRecord = z.object({
  number: z.string(),
  paidAt: z.string(),
  /** What the buyer is called, where they have said so. */
  name: z.nullable(z.string()),
  email: z.string(),
  /** Such as 'Visa ending 4242'. */
  card: z.nullable(z.string()),
  /** What the card payment provider calls the payment. */
  reference: z.string(),
  automatic: z.boolean(),
  amount: z.number(),
  bonus: z.number(),
  /** Of both, what waits for a review. */
  held: z.number(),
  /** What has gone back to the card. */
  refunded: z.number(),
  /** The tax that the amount holds, by the rule that was in force. */
  vat: z.nullable(z.object({ number: z.string(), percent: z.number(), amount: z.number() })),
})
export type ReceiptRecord = z.output<typeof receiptRecord>

/** The receipt of a paid payment of this user's. */
export const receipt = endpoint({
  method: 'GET',
  path: '/api/payments/:id/receipt',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  status: 200,
  reply: receiptRecord,
  errors: {},
})
