import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * How the events of a payment travel: as soon as they are made, 20 s late, twice at once, or with those of failed
 * attempts after the one of the payment.
 */
export const delivery = z.enum(['prompt', 'late', 'twice', 'out_of_order'])
export type Delivery = z.output<typeof delivery>

/** One copy of an event on its way to the merchant. */
const sentEvent = z.object({
  type: z.string(),
  delivered: z.boolean(),
  /** HTTP status of the merchant's last answer; null before one came. */
  answer: z.nullable(z.number()),
})

export const checkoutView = z.object({
  /** `authenticating`: the bank waits for the card's owner to approve. */
  state: z.enum(['open', 'authenticating', 'paid', 'expired']),
  /** US dollars. */
  amount: z.number(),
  description: z.string(),
  email: z.string(),
  savesCard: z.boolean(),
  /** The last four digits of the card that is being paid with, or was. */
  last4: z.nullable(z.string()),
  successUrl: z.url(),
  cancelUrl: z.url(),
  events: z.array(sentEvent),
})
export type CheckoutView = z.output<typeof checkoutView>

const params = z.object({ ref: z.string().check(z.maxLength(100)) })

/** A hosted checkout, by its unguessable name. Local stand-in only, like all of these. */
export const viewCheckout = endpoint({
  method: 'GET',
  path: '/dev/checkout/sessions/:ref',
  auth: 'none',
  params,
  status: 200,
  reply: checkoutView,
  errors: {},
})

const digits = (least: number, most: number) =>
  z.string().check(z.regex(/^\d+$/), z.minLength(least), z.maxLength(most))

/** Pays with a test card. Asked again once it is paid, it answers the same and takes nothing. */
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

/** Answers the bank's question whether it was the card's owner who pays. */
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
