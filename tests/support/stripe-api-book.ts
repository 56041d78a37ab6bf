import type * as z from 'zod/mini'
import { type parameters, refuse } from './stripe-api-parameters.ts'
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

export type Output<Name extends keyof typeof parameters> = z.output<(typeof parameters)[Name]>
type KeptSession = Session & { asked: Output<'sessionCreate'> }

export interface BookTools {
  readonly now: () => Date
  readonly livemode: boolean
  readonly emit: (type: string, object: object) => void
}

export type StripeBook = ReturnType<typeof openStripeBook>

/** One account's objects, and the changes of state that several operations share. */
export function openStripeBook(tools: BookTools) {
  const { emit, livemode } = tools
  const seconds = () => Math.floor(tools.now().getTime() / 1000)
  let made = 0
  const newId = (kind: string) => `${kind}_${String(++made).padStart(14, '0')}`

  const sessions = new Map<string, KeptSession>()
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
  const expire = (session: KeptSession) => {
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
    ...{ emit, livemode, seconds, newId, sessions, intents, refunds, disputes, methods, cards, customers },
    ...{ find, shown, findIntent, findCharge, expire, charge, report },
  }
}
