import { type BookTools, type Output, openStripeBook, type StripeBook } from './stripe-api-book.ts'
import { doOutside } from './stripe-api-outside.ts'
import { refuse, StripeRejection } from './stripe-api-parameters.ts'
import type { Intent, Method, Refund, Session } from './stripe-api-types.ts'

/** One account's objects and their state changes. Every change emits its events. */
export function createStripeAccount(tools: BookTools) {
  const book = openStripeBook(tools)
  return { ...answerRequests(book), ...doOutside(book) }
}

export type StripeAccount = ReturnType<typeof createStripeAccount>

/** What the merchant asks of the API. */
function answerRequests(book: StripeBook) {
  const {
    emit,
    livemode,
    seconds,
    newId,
    sessions,
    intents,
    refunds,
    methods,
    cards,
    customers,
    find,
    shown,
    findIntent,
    findCharge,
    expire,
    charge,
  } = book

  return {
    createSession(asked: Output<'sessionCreate'>): Session {
      if (asked.customer !== undefined) {
        if (asked.customer_email !== undefined || asked.customer_creation !== undefined) {
          refuse('You may only specify one of these parameters: customer, customer_email, customer_creation.')
        }
        if (!customers.has(asked.customer)) {
          refuse('No such customer', { code: 'resource_missing', param: 'customer' })
        }
      }
      const expiresAt = asked.expires_at ?? seconds() + 24 * 3600
      const aheadSeconds = expiresAt - seconds()
      if (aheadSeconds < 30 * 60 || aheadSeconds > 24 * 3600) {
        refuse('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
          param: 'expires_at',
        })
      }
      const total = asked.line_items.reduce(
        (sum, item) => sum + item.quantity * item.price_data.unit_amount,
        0,
      )
      if (total < 50) refuse('The total must be at least $0.50 usd.', { code: 'amount_too_small' })
      const id = newId(livemode ? 'cs_live' : 'cs_test')
      const session = {
        id,
        object: 'checkout.session' as const,
        url: `https://checkout.stripe.test/c/pay/${id}`,
        status: 'open' as const,
        payment_status: 'unpaid' as const,
        client_reference_id: asked.client_reference_id ?? null,
        expires_at: expiresAt,
        livemode,
        mode: asked.mode,
        amount_total: total,
        currency: 'usd' as const,
        customer: asked.customer ?? null,
        payment_intent: null,
        metadata: asked.metadata ?? {},
        asked,
      }
      sessions.set(id, session)
      return shown(session)
    },

    retrieveSession(id: string, { expand = [] }: Output<'sessionRetrieve'>): object {
      const session = find(sessions, id, 'checkout.session', 'session', 404)
      if (expand.length === 0 || session.payment_intent === null) return shown(session)
      const intent = findIntent(session.payment_intent)
      const withCharge = expand.includes('payment_intent.latest_charge') && intent.latest_charge !== null
      return {
        ...shown(session),
        payment_intent: withCharge ? { ...intent, latest_charge: findCharge(intent) } : intent,
      }
    },

    expireSession(id: string): Session {
      const session = find(sessions, id, 'checkout.session', 'session', 404)
      if (session.status !== 'open') {
        refuse(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        )
      }
      expire(session)
      return shown(session)
    },

    createIntent(asked: Output<'intentCreate'>): Intent {
      if (!customers.has(asked.customer)) {
        refuse('No such customer', { code: 'resource_missing', param: 'customer' })
      }
      const method = find(methods, asked.payment_method, 'PaymentMethod', 'payment_method')
      const card = cards.get(method.id)
      if (method.customer !== asked.customer || card === undefined) {
        refuse('The provided PaymentMethod was detached from a Customer. It may not be used again.')
      }
      const intent: Intent = {
        id: newId('pi'),
        object: 'payment_intent',
        created: seconds(),
        amount: asked.amount,
        amount_received: 0,
        currency: 'usd',
        livemode,
        status: 'requires_payment_method',
        setup_future_usage: null,
        customer: asked.customer,
        payment_method: method.id,
        latest_charge: null,
        last_payment_error: null,
        metadata: asked.metadata ?? {},
      }
      intents.set(intent.id, intent)
      charge(intent, method, card, card.away)
      if (intent.last_payment_error !== null) {
        throw new StripeRejection(402, {
          ...intent.last_payment_error,
          message: 'Your card was declined.',
          payment_intent: intent,
        })
      }
      return intent
    },

    retrieveIntent(id: string, { expand = [] }: Output<'intentRetrieve'>): object {
      const intent = findIntent(id)
      return expand.length > 0 && intent.latest_charge !== null
        ? { ...intent, latest_charge: findCharge(intent) }
        : intent
    },

    listIntents({ customer, created, limit = 10 }: Output<'intentList'>): object {
      if (customer !== undefined && !customers.has(customer)) {
        refuse('No such customer', { code: 'resource_missing', param: 'customer' })
      }
      const found = [...intents.values()].filter(
        intent =>
          (customer === undefined || intent.customer === customer) && intent.created >= (created?.gte ?? 0),
      )
      const data = found.toReversed().slice(0, limit)
      return { object: 'list', url: '/v1/payment_intents', has_more: found.length > data.length, data }
    },

    createRefund(asked: Output<'refundCreate'>): Refund {
      const intent = find(intents, asked.payment_intent, 'payment_intent', 'payment_intent')
      const charged = findCharge(intent)
      const left = charged.amount - charged.amount_refunded
      if (charged.disputed) refuse('The charge has been charged back.', { code: 'charge_disputed' })
      if (left === 0) refuse('The charge has already been refunded.', { code: 'charge_already_refunded' })
      const amount = asked.amount ?? left
      if (amount > left) refuse('Refund amount is greater than unrefunded amount.', { param: 'amount' })
      charged.amount_refunded += amount
      const refund: Refund = {
        id: newId('re'),
        object: 'refund',
        amount,
        created: seconds(),
        currency: 'usd',
        status: cards.get(charged.payment_method)?.refunds ?? 'succeeded',
        charge: charged.id,
        payment_intent: intent.id,
        metadata: asked.metadata ?? {},
      }
      refunds.set(refund.id, refund)
      emit('refund.created', refund)
      emit('charge.refunded', charged)
      return refund
    },

    listRefunds({ charge: chargeRef, limit = 10 }: Output<'refundList'>): object {
      const all = [...refunds.values()].filter(refund => refund.charge === chargeRef).reverse()
      return { object: 'list', url: '/v1/refunds', has_more: all.length > limit, data: all.slice(0, limit) }
    },

    retrieveMethod: (id: string): Method => find(methods, id, 'PaymentMethod', 'payment_method', 404),

    detachMethod(id: string): Method {
      const method = find(methods, id, 'PaymentMethod', 'payment_method')
      if (method.customer === null) {
        refuse('The payment method you provided is not attached to a customer so detachment is impossible.')
      }
      method.customer = null
      return method
    },
  }
}
