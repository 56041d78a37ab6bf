import { expect, test } from 'vitest'
import { createLocalPayments } from '#server/payment-provider/local/adapter.ts'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

test.each([
  [false, 200],
  [true, 404],
])('production %s: the checkout answers %i', async (production, status) => {
  const { db, clock, random, keys, publicUrl } = world.services
  const payments = createLocalPayments({ db, clock, random, secret: keys.payments, publicUrl })
  const opened = await payments.openCheckout({
    paymentId: random.uuid(),
    userId: random.uuid(),
    email: 'anna@example.com',
    amountMicroUsd: 10_000_000,
    description: '10 credits',
    purpose: 'credits',
    savesCard: false,
    consentText: 'By paying, you allow us to keep this card and to charge it automatically.',
    authenticate: false,
    customerRef: null,
    successUrl: `${publicUrl}/call`,
    cancelUrl: `${publicUrl}/buy-credits`,
    expiresAt: new Date(clock.now().getTime() + 3_600_000),
  })
  if (!opened.ok) throw new Error(opened.code)
  const app = await openApp({
    config: { production },
    services: world.services,
    hostedCheckout: payments.hosted,
  })
  const session = `/dev/checkout/sessions/${opened.value.checkoutRef}`
  expect((await app.inject(session)).statusCode).toBe(status)
  const card = { number: '4242424242424242', expiry: '0829', code: '123', delivery: 'prompt' }
  const paid = await app.inject({ method: 'POST', url: `${session}/pay`, payload: card })
  expect(paid.statusCode).toBe(status)
  await app.close()
})
