import type Stripe from 'stripe'
import type * as z from 'zod/mini'
import { type parameters, refuse, StripeRefusal } from './stripe-api-parameters.ts'
import type {
  Charge,
  Dispute,
  FraudWarning,
  Intent,
  Method,
  Refund,
  Session,
  TestCard,
} from './stripe-api-types.ts'

type Output<Name extends keyof typeof parameters> = z.output<(typeof parameters)[Name]>

/** One account's objects and their state changes. Every change emits its events. */
export function createStripeAccount(tools: {
  readonly now: () => Date
  readonly livemode: boolean
  readonly emit: (type: string, object: object) => void
}) {
  const { emit, livemode } = tools
  const seconds = () => Math.floor(tools.now().getTime() / 1000)
  let made = 0
  const newId = (kind: string) => `${kind}_${String(++made).padStart(14, '0')}`

  const sessions = new Map<string, Session & { asked: Output<'sessionCreate'> }>()
  const intents = new Map<string, Intent>()
  const charges = new Map<string, Charge>()
  const refunds = new Map<string, Refund>()
  const disputes = new Map<string, Dispute>()
  const methods = new Map<string, Method>()
  const cards = new Map<string, TestCard>()
  const customers = new Set<string>()

  const find = <Value>(kept: Map<string, Value>, id: string, what: string, param: string, status = 400) =>
    kept.get(id) ?? refuse(`No such ${what}: '${id}'`, { code: 'resource_missing', param, status })
  const shown = ({ asked: _asked, ...session }: Session & { asked: unknown }): Session => session
  const findIntent = (id: string) => find(intents, id, 'payment_intent', 'intent', 404)
  const findCharge = (intent: Intent) => find(charges, intent.latest_charge ?? '', 'charge', 'charge')
  const expire = (session: Session & { asked: Output<'sessionCreate'> }) => {
    session.status = 'expired'
    session.url = null
    emit('checkout.session.expired', shown(session))
  }

  /** Charges an intent and stores the bank's answer in it. */
  const charge = (intent: Intent, method: Method, card: TestCard, answer: TestCard['away']): void => {
    if (answer !== 'pays') {
      const code = answer === 'asks' ? 'authentication_required' : 'card_declined'
      const declineCode = answer === 'asks' ? 'authentication_required' : 'insufficient_funds'
      intent.status = 'requires_payment_method'
      intent.last_payment_error = { type: 'card_error', code, decline_code: declineCode }
      emit('payment_intent.payment_failed', intent)
      return
    }
    const { brand, last4, fingerprint } = card
    const charged: Charge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      currency: 'usd',
      disputed: false,
      livemode,
      payment_intent: intent.id,
      payment_method: method.id,
      payment_method_details: { type: 'card', card: { brand, last4, fingerprint } },
      metadata: intent.metadata,
    }
    charges.set(charged.id, charged)
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.latest_charge = charged.id
    intent.payment_method = method.id
    intent.last_payment_error = null
    emit('charge.succeeded', charged)
    emit('payment_intent.succeeded', intent)
    if (card.reports === true) report(charged)
  }
  const report = (charged: Charge): string => {
    const warning: FraudWarning = {
      id: newId('issfr'),
      object: 'radar.early_fraud_warning',
      actionable: !charged.disputed && charged.amount_refunded < charged.amount,
      created: seconds(),
      fraud_type: 'made_with_stolen_card',
      livemode,
      charge: charged.id,
      payment_intent: charged.payment_intent,
    }
    emit('radar.early_fraud_warning.created', warning)
    return warning.id
  }

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
        throw new StripeRefusal(402, {
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

    pay(url: string, card: TestCard): 'paid' | 'declined' {
      const session = [...sessions.values()].find(each => each.url === url)
      if (session === undefined || session.status !== 'open') throw new Error('this page is over')
      const { asked } = session
      session.customer ??= asked.customer_creation === 'always' ? newId('cus') : null
      if (session.customer !== null) customers.add(session.customer)
      const known = session.payment_intent === null ? undefined : intents.get(session.payment_intent)
      const intent: Intent = known ?? {
        id: newId('pi'),
        object: 'payment_intent',
        created: seconds(),
        amount: session.amount_total,
        amount_received: 0,
        currency: 'usd',
        livemode,
        status: 'requires_payment_method',
        setup_future_usage: asked.payment_intent_data?.setup_future_usage ?? null,
        customer: session.customer,
        payment_method: null,
        latest_charge: null,
        last_payment_error: null,
        metadata: asked.payment_intent_data?.metadata ?? {},
      }
      intents.set(intent.id, intent)
      session.payment_intent = intent.id
      const method: Method = { id: newId('pm'), object: 'payment_method', type: 'card', customer: null }
      charge(intent, method, card, card.present)
      if (intent.status !== 'succeeded') return 'declined'
      if (intent.setup_future_usage === 'off_session') method.customer = session.customer
      methods.set(method.id, method)
      cards.set(method.id, card)
      session.status = 'complete'
      session.payment_status = 'paid'
      session.url = null
      emit('checkout.session.completed', shown(session))
      return 'paid'
    },

    expireDue(): void {
      for (const session of sessions.values()) {
        if (session.status === 'open' && session.expires_at <= seconds()) expire(session)
      }
    },

    removeCustomer(customerRef: string): void {
      customers.delete(customerRef)
      for (const method of methods.values()) if (method.customer === customerRef) method.customer = null
    },

    changeCurrency(intentRef: string, currency: string): void {
      findIntent(intentRef).currency = currency
    },

    dispute(intentRef: string, status: Stripe.Dispute.Status): string {
      const charged = findCharge(findIntent(intentRef))
      charged.disputed = true
      const dispute: Dispute = {
        id: newId('du'),
        object: 'dispute',
        amount: charged.amount,
        currency: 'usd',
        livemode,
        status,
        charge: charged.id,
        payment_intent: intentRef,
      }
      disputes.set(dispute.id, dispute)
      emit('charge.dispute.created', dispute)
      if (status === 'needs_response') emit('charge.dispute.funds_withdrawn', dispute)
      return dispute.id
    },

    reportFraud: (intentRef: string): string => report(findCharge(findIntent(intentRef))),

    closeDispute(disputeRef: string, status: 'won' | 'lost' | 'warning_closed'): void {
      const dispute = find(disputes, disputeRef, 'dispute', 'dispute')
      dispute.status = status
      emit('charge.dispute.closed', dispute)
      if (status === 'won') emit('charge.dispute.funds_reinstated', dispute)
    },

    changeRefund(refundRef: string, status: 'succeeded' | 'failed'): void {
      const refund = find(refunds, refundRef, 'refund', 'refund')
      refund.status = status
      emit('refund.updated', refund)
      if (status === 'failed') emit('refund.failed', refund)
    },
  }
}

export type StripeAccount = ReturnType<typeof createStripeAccount>
