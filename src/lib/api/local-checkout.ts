import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Delivery of a payment's events: now, 20 s late, twice, or with failed attempts after the payment. */
export const delivery = z.enum(['prompt', 'late', 'twice', 'out_of_order'])
export type Delivery = z.output<typeof delivery>

const sentEvent = z.object({
  type: z.string(),
  delivered: z.boolean(),
  /** HTTP status of the merchant's last response; null before the first. */
  answer: z.nullable(z.number()),
})

export const checkoutView = z.object({
  /** `authenticating`: waiting for the card's owner to approve. */
  state: z.enum(['open', 'authenticating', 'paid', 'expired']),
  /** USD. */
  amount: z.number(),
  description: z.string(),
  purpose: z.enum(['credits', 'gift']),
  email: z.string(),
  savesCard: z.boolean(),
  last4: z.nullable(z.string()),
  successUrl: z.url(),
  cancelUrl: z.url(),
  events: z.array(sentEvent),
})
export type CheckoutView = z.output<typeof checkoutView>

const params = z.object({ ref: z.string().check(z.maxLength(100)) })

/** A hosted checkout by its unguessable reference. Local stand-in only, like all endpoints here. */
export const viewCheckout = endpoint({
  method: 'GET',
  path: '/dev/checkout/sessions/:ref',
  auth: 'none',
  params,
  status: 200,
  reply: checkoutView,
  errors: {},
})

const digits = (min: number, max: number) =>
  z.string().check(z.regex(/^\d+$/), z.minLength(min), z.maxLength(max))

/** Pays with a test card. Repeated after payment, it returns the same reply without a charge. */
export const payCheckout = endpoint({
  method: 'POST',
  path: '/dev/checkout/sessions/:ref/pay',
  auth: 'none',
  params,
  body: z.object({
    number: digits(12, 19),
    /** MMYY */
    expiry: digits(4, 4),
    code: digits(3, 4),
    delivery,
  }),
  status: 200,
  reply: checkoutView,
  errors: { declined: 402, no_funds: 402, invalid_card: 400, not_a_test_card: 400, checkout_expired: 409 },
})

export const authenticateCheckout = endpoint({
  method: 'POST',
  path: '/dev/checkout/sessions/:ref/authentication',
  auth: 'none',
  params,
  body: z.object({ approved: z.boolean() }),
  status: 200,
  reply: checkoutView,
  errors: { not_approved: 402, not_asked: 409, checkout_expired: 409 },
})
