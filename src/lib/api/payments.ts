import * as z from 'zod/mini'
import { maxUsd, minUsd } from '../money/credits.ts'
import { endpoint } from './endpoint.ts'

/** The page that a cancelled checkout returns to. A paid one always returns to the dialler. */
const checkoutReturn = z.enum(['buy_credits', 'call'])
export type CheckoutReturn = z.output<typeof checkoutReturn>

/** Whole US dollars (SPEC-5.2, SPEC-7.8). The server computes the credits and rejects another figure (PD-22). */
export const createCheckoutSession = endpoint({
  method: 'POST',
  path: '/api/payments/create-checkout-session',
  auth: 'bearer',
  body: z.object({
    amount: z.int().check(z.gte(minUsd), z.lte(maxUsd)),
    credits: z.int().check(z.nonnegative()),
    referralId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
    autoTopUpEnabled: z.boolean(),
    /** `buy_credits` if absent. */
    returnTo: z.optional(checkoutReturn),
  }),
  status: 200,
  reply: z.object({ url: z.url() }),
  errors: { credits_mismatch: 400, call_blocked: 403, too_many_checkouts: 429, payments_unavailable: 503 },
})

export const toggleAutoTopUp = endpoint({
  method: 'POST',
  path: '/api/payments/auto-topup-toggle',
  auth: 'bearer',
  body: z.object({ autoTopUpEnabled: z.boolean() }),
  status: 200,
  reply: z.object({ auto_topup_enabled: z.boolean() }),
  errors: { no_saved_card: 409 },
})

/** `waiting`: the provider has not reported yet. Money in USD. */
export const paymentState = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'paid', 'failed', 'expired']),
  amount: z.number(),
  credits: z.number(),
  /** The part of `credits` held for review. */
  held: z.number(),
})
export type PaymentState = z.output<typeof paymentState>

export const payment = endpoint({
  method: 'GET',
  path: '/api/payments/:id',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  status: 200,
  reply: paymentState,
  errors: {},
})

const refundErrors = {
  already_asked: 409,
  too_late: 409,
  disputed: 409,
  under_review: 409,
  refund_limit: 409,
  call_in_progress: 409,
  nothing_unused: 409,
  gift_redeemed: 409,
} as const

export const refundOffer = endpoint({
  method: 'GET',
  path: '/api/payments/:id/refund',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  status: 200,
  reply: z.object({
    /** Returned to the card: USD, in whole cents. */
    amount: z.number(),
    /** Debited from the balance; more than `amount` if the payment had a bonus. */
    credits: z.number(),
    /** Whether it is a booklet that nobody has redeemed; its code stops working with the refund. */
    gift: z.boolean(),
    /** Deadline, ISO 8601, UTC; null for a booklet, which has none. */
    until: z.nullable(z.string()),
  }),
  errors: refundErrors,
})

/** `amount`: USD that the page showed; rejected if it has changed. Repeated, returns the first refund's state. */
export const requestRefund = endpoint({
  method: 'POST',
  path: '/api/payments/:id/refund',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  body: z.object({ amount: z.number().check(z.positive(), z.lte(maxUsd)) }),
  status: 200,
  reply: z.object({ state: z.enum(['pending', 'succeeded']), amount: z.number() }),
  errors: { ...refundErrors, amount_changed: 409, refund_refused: 409 },
})

/** Money in USD; times in ISO 8601, UTC. */
export const receiptRecord = z.object({
  number: z.string(),
  paidAt: z.string(),
  name: z.nullable(z.string()),
  email: z.string(),
  card: z.nullable(z.string()),
  reference: z.string(),
  automatic: z.boolean(),
  /** Of a booklet: whom it is for; empty once the buyer's account is deleted. Null for credits of one's own. */
  giftFor: z.nullable(z.string()),
  amount: z.number(),
  bonus: z.number(),
  /** The part of amount and bonus held for review. */
  held: z.number(),
  refunded: z.number(),
  /** VAT included in the amount, in USD, by the rule in force at the payment. */
  vat: z.nullable(z.object({ number: z.string(), percent: z.number(), amount: z.number() })),
})
export type ReceiptRecord = z.output<typeof receiptRecord>

export const receipt = endpoint({
  method: 'GET',
  path: '/api/payments/:id/receipt',
  auth: 'bearer',
  params: z.object({ id: z.uuid() }),
  status: 200,
  reply: receiptRecord,
  errors: {},
})
