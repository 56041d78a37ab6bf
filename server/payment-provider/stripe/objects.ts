// @vocabulary amount: in cents, as Stripe has it.
import * as z from 'zod/mini'

/** The fields that we read of Stripe's objects, in events and responses. These must be valid; all others are ignored. */

/** A reference to another object: its id, or the expanded object. */
const reference = z.pipe(
  z.union([z.string(), z.object({ id: z.string() })]),
  z.transform(value => (typeof value === 'string' ? value : value.id)),
)
const metadata = z.nullish(z.record(z.string(), z.string()))

export const checkoutSession = z.object({
  object: z.literal('checkout.session'),
  id: z.string(),
  status: z.nullable(z.string()),
  payment_status: z.string(),
  payment_intent: z.nullable(reference),
  metadata,
})

export const paymentIntent = z.object({
  object: z.literal('payment_intent'),
  id: z.string(),
  status: z.string(),
  currency: z.string(),
  amount_received: z.int(),
  customer: z.nullable(reference),
  payment_method: z.nullable(reference),
  setup_future_usage: z.nullish(z.string()),
  last_payment_error: z.nullish(
    z.object({ code: z.nullish(z.string()), decline_code: z.nullish(z.string()) }),
  ),
  metadata,
})
export type PaymentIntent = z.output<typeof paymentIntent>

export const charge = z.object({
  object: z.literal('charge'),
  id: z.string(),
  payment_intent: z.nullable(reference),
})

export const chargedCard = z.object({
  payment_method_details: z.object({
    card: z.object({
      brand: z.string(),
      last4: z.string().check(z.regex(/^\d{4}$/)),
      fingerprint: z.nullish(z.string()),
    }),
  }),
})

export const refund = z.object({
  object: z.literal('refund'),
  id: z.string(),
  payment_intent: z.nullable(reference),
  amount: z.int(),
  currency: z.string(),
  status: z.nullable(z.string()),
  metadata,
})
export type Refund = z.output<typeof refund>

export const dispute = z.object({
  object: z.literal('dispute'),
  id: z.string(),
  payment_intent: z.nullable(reference),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
})
export type Dispute = z.output<typeof dispute>

export const fraudWarning = z.object({
  object: z.literal('radar.early_fraud_warning'),
  id: z.string(),
  payment_intent: z.nullish(reference),
})

export const event = z.object({
  object: z.literal('event'),
  id: z.string(),
  type: z.string(),
  created: z.int(),
  livemode: z.boolean(),
  /** Set for connected accounts, of which we have none. */
  account: z.nullish(z.string()),
  data: z.object({ object: z.looseObject({}) }),
})
