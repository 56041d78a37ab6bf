import type Stripe from 'stripe'
import type { StripeBook } from './stripe-api-book.ts'
import type { Dispute, Intent, Method, TestCard } from './stripe-api-types.ts'

/** What happens without a request: customers pay, banks dispute, time passes. */
export function doOutside(book: StripeBook) {
  const {
    emit,
    livemode,
    seconds,
    newId,
    sessions,
    intents,
    refunds,
    disputes,
    methods,
    cards,
    customers,
    find,
    shown,
    findIntent,
    findCharge,
    expire,
    charge,
    report,
  } = book

  return {
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
