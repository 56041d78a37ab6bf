import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import type { CheckoutView } from '#lib/api/local-checkout.ts'
import type { Database } from '#server/db/port.ts'
import { handleErrors } from '#server/http/errors.ts'
import { createMount } from '#server/http/mount.ts'
import { createLocalPayments, type LocalPayments } from '#server/payment-provider/local/adapter.ts'
import type { CheckoutOrder, PaymentEvent, PaymentUpdate } from '#server/payment-provider/port.ts'
import { mountLocalCheckout } from '#server/payments/local-checkout-routes.ts'
import { systemRandom } from '#server/process/random.ts'
import { openFreshDatabase, projectEngine } from '#support/engine.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'

const secret = new Uint8Array(32).fill(9)

/** A merchant on the local checkout: its page's routes, and a webhook of its own that records the events it receives. */
export interface LocalShop {
  readonly db: Database
  readonly clock: MovableClock
  readonly app: FastifyInstance
  readonly payments: LocalPayments
  /** Every delivery whose signature held, oldest first. */
  readonly events: PaymentEvent[]
  /** What the merchant answers deliveries with. */
  answerWith(status: number): void
  order(details?: Partial<CheckoutOrder>): CheckoutOrder
  /** Opens a checkout; gives its name. */
  open(details?: Partial<CheckoutOrder>): Promise<string>
  look(ref: string): Promise<CheckoutView>
  pay(ref: string, number: string, details?: object): ReturnType<LocalShop['post']>
  post(path: string, payload: object): Promise<{ statusCode: number; json(): unknown }>
  /** Sends what is due after this many milliseconds. @returns the events that the merchant received by then */
  updates(afterMs?: number): Promise<PaymentUpdate[]>
  /** The provider restarted on the same database, as after a crash. */
  restart(): LocalPayments
  /** Empties the provider's books for the next test. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function openLocalShop(): Promise<LocalShop> {
  const clock = createStoppedClock()
  const { db, close } = await openFreshDatabase(await projectEngine(), clock.now())
  const app = Fastify()
  const events: PaymentEvent[] = []
  let status = 204
  let url = ''
  const start = () =>
    createLocalPayments({
      db,
      clock,
      random: systemRandom,
      secret,
      publicUrl: 'http://localhost:4321',
      webhookUrl: `${url}/webhook`,
    })

  handleErrors(app)
  await app.register((webhook, _options, done) => {
    webhook.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, taken) =>
      taken(null, body),
    )
    webhook.post('/webhook', async (request, reply) => {
      const signature = String(request.headers[payments.signatureHeader])
      const event = await payments.readEvent(request.body as Buffer, signature, clock.now())
      if (!event.ok) return reply.code(400).send()
      events.push(event.value)
      return reply.code(status).send()
    })
    done()
  })
  mountLocalCheckout(createMount(app, { accessKey: secret, clock }), {
    view: ref => payments.hosted.view(ref),
    pay: (...given) => payments.hosted.pay(...given),
    authenticate: (...given) => payments.hosted.authenticate(...given),
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  let payments = start()

  const post = async (path: string, payload: object) => app.inject({ method: 'POST', url: path, payload })
  const order = (details: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
    paymentId: randomUUID(),
    userId: randomUUID(),
    email: 'anna@example.com',
    amountMicroUsd: 25_000_000,
    description: '25 calling credits',
    purpose: 'credits',
    savesCard: false,
    consentText: 'By paying, you allow us to keep this card and to charge it automatically.',
    authenticate: false,
    customerRef: null,
    successUrl: 'http://localhost:4321/call?payment=success',
    cancelUrl: 'http://localhost:4321/buy-credits?payment=cancelled',
    expiresAt: new Date(clock.now().getTime() + 3_600_000),
    ...details,
  })
  return {
    db,
    clock,
    app,
    get payments() {
      return payments
    },
    events,
    answerWith: answer => {
      status = answer
    },
    order,
    open: async details => {
      const opened = await payments.openCheckout(order(details))
      if (!opened.ok) throw new Error(opened.code)
      return opened.value.checkoutRef
    },
    look: async ref => (await app.inject(`/dev/checkout/sessions/${ref}`)).json(),
    post,
    pay: (ref, number, details = {}) =>
      post(`/dev/checkout/sessions/${ref}/pay`, {
        number,
        expiry: '0829',
        code: number.startsWith('37') ? '1234' : '123',
        delivery: 'prompt',
        ...details,
      }),
    updates: async (afterMs = 0) => {
      clock.advance(afterMs)
      while ((await payments.deliverDue()) > 0);
      return events.map(event => event.update)
    },
    restart: () => {
      payments = start()
      return payments
    },
    reset: async () => {
      await payments.stop()
      await db.query(
        `truncate local_event, local_dispute, local_refund, local_checkout, local_intent, local_kept_card`,
      )
      events.length = 0
      status = 204
      payments = start()
    },
    close: async () => {
      await payments.stop()
      await app.close()
      await close()
    },
  }
}

export const cards = {
  succeeds: '4242424242424242',
  declines: '4000000000000002',
  authenticates: '4000002500003155',
  noFunds: '4000000000009995',
  declinesLater: '4000000000000341',
  authenticatesAlways: '4000002760003184',
  disputes: '4000000000000259',
  refundsSlowly: '4000000000007726',
  refundsFail: '4000000000005126',
} as const
