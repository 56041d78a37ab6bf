// @vocabulary words: they are words of a language.
import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Form } from './stripe-api-form.ts'

/**
 * The documented parameters that the fake supports; others are rejected as unknown. The compiler checks their names
 * and nesting against the types that Stripe generates from its API specification.
 */
type Documented<Parameters> = { readonly [Name in keyof Parameters]?: z.ZodMiniType }

const whole = z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))
const positive = z.pipe(whole, z.number().check(z.positive()))
const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform(text => text === 'true'),
)
const text = z.string().check(z.minLength(1))
const metadata = z
  .record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500)))
  .check(z.refine(entries => Object.keys(entries).length <= 50))
const address = z.url()
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) => z.enum(words)
const cards = z.array(z.literal('card')).check(z.minLength(1))

const price = z.strictObject({
  currency: z.literal('usd'),
  unit_amount: positive,
  product_data: z.strictObject({ name: z.string().check(z.minLength(1), z.maxLength(250)) }),
} satisfies Documented<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>)

const paymentIntentData = z.strictObject({
  description: z.optional(text),
  metadata: z.optional(metadata),
  setup_future_usage: z.optional(oneOf(['off_session', 'on_session'])),
} satisfies Documented<Stripe.Checkout.SessionCreateParams.PaymentIntentData>)

const sessionCreate = z.strictObject({
  mode: z.literal('payment'),
  client_reference_id: z.optional(z.string().check(z.maxLength(200))),
  metadata: z.optional(metadata),
  line_items: z
    .array(
      z.strictObject({
        quantity: positive,
        price_data: price,
      } satisfies Documented<Stripe.Checkout.SessionCreateParams.LineItem>),
    )
    .check(z.minLength(1), z.maxLength(100)),
  allowed_payment_method_types: z.optional(cards),
  wallet_options: z.optional(
    z.strictObject({
      link: z.strictObject({
        display: oneOf(['auto', 'never']),
      } satisfies Documented<Stripe.Checkout.SessionCreateParams.WalletOptions.Link>),
    } satisfies Documented<Stripe.Checkout.SessionCreateParams.WalletOptions>),
  ),
  adaptive_pricing: z.optional(
    z.strictObject({
      enabled: flag,
    } satisfies Documented<Stripe.Checkout.SessionCreateParams.AdaptivePricing>),
  ),
  payment_method_options: z.optional(
    z.strictObject({
      card: z.strictObject({
        request_three_d_secure: oneOf(['automatic', 'any', 'challenge']),
      } satisfies Documented<Stripe.Checkout.SessionCreateParams.PaymentMethodOptions.Card>),
    } satisfies Documented<Stripe.Checkout.SessionCreateParams.PaymentMethodOptions>),
  ),
  payment_intent_data: z.optional(paymentIntentData),
  consent_collection: z.optional(
    z.strictObject({
      payment_method_reuse_agreement: z.strictObject({ position: oneOf(['auto', 'hidden']) }),
    } satisfies Documented<Stripe.Checkout.SessionCreateParams.ConsentCollection>),
  ),
  custom_text: z.optional(
    z.strictObject({
      submit: z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(1200)) }),
    } satisfies Documented<Stripe.Checkout.SessionCreateParams.CustomText>),
  ),
  customer: z.optional(text),
  customer_email: z.optional(z.email()),
  customer_creation: z.optional(oneOf(['always', 'if_required'])),
  success_url: address,
  cancel_url: z.optional(address),
  expires_at: z.optional(whole),
} satisfies Documented<Stripe.Checkout.SessionCreateParams>)

const intentCreate = z.strictObject({
  amount: z.pipe(whole, z.number().check(z.gte(50), z.lte(99_999_999))),
  currency: z.literal('usd'),
  customer: text,
  payment_method: text,
  allowed_payment_method_types: z.optional(cards),
  off_session: z.literal('true'),
  confirm: z.literal('true'),
  description: z.optional(text),
  metadata: z.optional(metadata),
} satisfies Documented<Stripe.PaymentIntentCreateParams>)

const refundCreate = z.strictObject({
  payment_intent: text,
  metadata: z.optional(metadata),
  amount: z.optional(positive),
} satisfies Documented<Stripe.RefundCreateParams>)

export const parameters = {
  sessionCreate,
  sessionRetrieve: z.strictObject({
    expand: z.optional(z.array(oneOf(['payment_intent', 'payment_intent.latest_charge']))),
  } satisfies Documented<Stripe.Checkout.SessionRetrieveParams>),
  sessionExpire: z.strictObject({} satisfies Documented<Stripe.Checkout.SessionExpireParams>),
  intentCreate,
  intentRetrieve: z.strictObject({
    expand: z.optional(z.array(z.literal('latest_charge'))),
  } satisfies Documented<Stripe.PaymentIntentRetrieveParams>),
  intentList: z.strictObject({
    customer: z.optional(text),
    created: z.optional(z.strictObject({ gte: z.optional(whole) })),
    limit: z.optional(z.pipe(positive, z.number().check(z.lte(100)))),
  } satisfies Documented<Stripe.PaymentIntentListParams>),
  refundCreate,
  refundList: z.strictObject({
    charge: text,
    limit: z.optional(z.pipe(positive, z.number().check(z.lte(100)))),
  } satisfies Documented<Stripe.RefundListParams>),
  methodRetrieve: z.strictObject({} satisfies Documented<Stripe.PaymentMethodRetrieveParams>),
  methodDetach: z.strictObject({} satisfies Documented<Stripe.PaymentMethodDetachParams>),
}

/** An error response in Stripe's format. */
export class StripeRejection extends Error {
  readonly status: number
  readonly body: { readonly type: string; readonly code?: string; readonly param?: string; message: string }
  constructor(status: number, body: StripeRejection['body'] & Readonly<Record<string, unknown>>) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function refuse(
  message: string,
  more: { code?: string; param?: string; status?: number } = {},
): never {
  const { status = 400, ...rest } = more
  throw new StripeRejection(status, { type: 'invalid_request_error', message, ...rest })
}

/** @throws StripeRejection naming the unknown, missing or invalid parameter */
export function readParameters<Output>(schema: z.ZodMiniType<Output>, form: Form): Output {
  const parsed = z.safeParse(schema, form)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const nameOf = (path: readonly PropertyKey[]) =>
    path.map((part, depth) => (depth === 0 ? String(part) : `[${String(part)}]`)).join('')
  if (issue?.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, ...issue.keys.slice(0, 1)])
    if (param === 'payment_method_types') {
      refuse('payment_method_types is not supported', {
        code: 'payment_method_types_no_longer_supported',
        param,
      })
    }
    refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const path = issue?.path ?? []
  const param = nameOf(path)
  const isMissing =
    path.reduce<unknown>((at, part) => (at as Form | undefined)?.[String(part)], form) === undefined
  if (isMissing) refuse(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  refuse(`Invalid ${param}`, { code: 'parameter_invalid', param })
}
