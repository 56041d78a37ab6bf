import { afterAll, beforeAll } from 'vitest'
import { testCards } from '#lib/money/test-cards.ts'
import { createLocalPayments } from '#server/payment-provider/local/adapter.ts'
import { signEvent } from '#server/payment-provider/local/signature.ts'
import { systemRandom } from '#server/process/random.ts'
import { type FreshDatabase, openFreshDatabase, projectEngine } from '#support/engine.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { behavesAsPayments } from './contract.ts'
import type { ContractCard, Delivery } from './contract-house.ts'

const secret = new Uint8Array(32).fill(7)

const refOf = (url: string) => new URL(url).searchParams.get('session') ?? ''

function numberOf(card: ContractCard): string {
  const found = testCards.find(({ behaviour }) => behaviour === card)
  if (found === undefined) throw new Error(`no card ${card}`)
  return found.digits
}

let database: FreshDatabase
beforeAll(async () => {
  database = await openFreshDatabase(await projectEngine(), createStoppedClock().now())
})
afterAll(() => database.close())

behavesAsPayments(async () => {
  const clock = createStoppedClock()
  const { db } = database
  await db.query(
    'truncate local_event, local_dispute, local_refund, local_checkout, local_intent, local_kept_card',
  )
  let sent: Delivery[] = []
  const payments = createLocalPayments({
    db,
    clock,
    random: systemRandom,
    secret,
    publicUrl: 'https://farline.example',
    deliver: async ({ headers, body }) => {
      sent.push({ body, signature: String(headers['farline-signature']) })
      return 200
    },
  })
  return {
    clock,
    payments,
    pay: async (url, card) => {
      const typed = { number: numberOf(card), expiry: '0829', code: '123' }
      await payments.hosted.pay(refOf(url), typed, 'prompt')
      await payments.hosted.authenticate(refOf(url), true)
    },
    passTime: async (ms, url) => {
      clock.advance(ms)
      await payments.hosted.view(refOf(url))
    },
    dispute: intentRef => payments.openDispute(intentRef),
    closeDispute: (disputeRef, state) => payments.closeDispute(disputeRef, state),
    reportFraud: intentRef => payments.reportFraud(intentRef),
    deliveries: async () => {
      while ((await payments.deliverDue()) > 0);
      const delivered = sent
      sent = []
      return delivered
    },
    sign: body => signEvent(secret, new TextEncoder().encode(body), clock.now()),
    close: () => payments.stop(),
  }
})
