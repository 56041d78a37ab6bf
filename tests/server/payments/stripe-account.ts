import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { createLog } from '#server/http/log.ts'
import type { CheckoutOrder, KeptCard } from '#server/payment-provider/port.ts'
import { createStripePayments } from '#server/payment-provider/stripe/adapter.ts'
import { systemRandom } from '#server/process/random.ts'
import { createRunningClock } from '#support/movable-clock.ts'
import { type StripeApi, startStripeApi } from '#support/stripe-api.ts'
import { stripeCards } from '#support/stripe-api-types.ts'
import { anyOrder } from './contract-house.ts'

export const retryPolicy = { attemptMs: 150, wholeMs: 2_000, pauseMs: 4 }

export type StripeAccount = Awaited<ReturnType<typeof openStripeAccount>>

/** Our adapter, what it asks of Stripe's API, and what it logs. */
export async function openStripeAccount() {
  const clock = createRunningClock()
  const logged: string[] = []
  const api = await startStripeApi(() => clock.now())

  const sink = new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line))
      done()
    },
  })
  const log = createLog('trace', sink)

  function connect(settings: Partial<StripeApi> & { retryPolicy?: typeof retryPolicy } = {}) {
    return createStripePayments({ ...api, retryPolicy, ...settings }, { clock, random: systemRandom, log })
  }

  async function open(details?: Partial<CheckoutOrder>) {
    const order = anyOrder(clock, details)
    const opened = await connect().openCheckout(order)
    if (!opened.ok) throw new Error(opened.code)
    return { order, ...opened.value }
  }

  async function buy(card: keyof typeof stripeCards = 'succeeds', details?: Partial<CheckoutOrder>) {
    const opened = await open(details)
    api.account.pay(opened.url, stripeCards[card])
    const found = await connect().lookUp(opened.checkoutRef)
    if (!found.ok || found.value?.kind !== 'paid') throw new Error('it was not paid')
    return { ...opened, paid: found.value }
  }

  async function keep(): Promise<KeptCard> {
    const { paid } = await buy('succeeds', { savesCard: true })
    if (paid.kept === null) throw new Error('no card was kept')
    api.takeEvents()
    return paid.kept
  }

  const charge = (kept: KeptCard, paymentId: string = randomUUID()) =>
    connect().chargeKeptCard({
      ...kept,
      paymentId,
      userId: 'b7c1f0a2-5d3e-4c86-9a1f-2e4d6c8b0a13',
      amountMicroUsd: 10_000_000,
      description: 'Auto top-up',
    })

  /** Reads an event as it arrives, or with parts of it changed and signed again. */
  function read(body: string | object, at = clock.now(), payments = connect()) {
    const written = typeof body === 'string' ? body : JSON.stringify(body)
    return payments.readEvent(new TextEncoder().encode(written), api.sign(written, at), clock.now())
  }

  /** The event of this type that was sent since the last time, as an object. */
  function take(type: string) {
    const found = api.takeEvents().find(event => event.type === type)
    if (found === undefined) throw new Error(`no ${type}`)
    return JSON.parse(found.body)
  }

  return { clock, api, logged, connect, open, buy, keep, charge, read, take }
}
