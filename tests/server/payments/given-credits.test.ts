import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { creditAccount } from '#server/admin/credit-account.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { defaultCallCreditTerms } from '#server/config/policy.ts'
import type { UserRow } from '#server/identity/users.ts'
import { refundPayment } from '#server/payments/refunds/operator-refund.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { accountState, deliver, order } from './buyer.ts'

/** What was given, as goodwill, bonus or adjustment, is for calls: it never goes to a card (ADR-49). */

const world = keepForFile(await createWorld())
const services = { ...world.services, policy: { ...widePolicy(), credit: defaultCallCreditTerms } }

/** 1.14 USD a minute. */
const expensive = '+5353123456'
const rateMicroUsd = 1_140_000

async function pay(user: UserRow, usd: number) {
  const one = await order(world, user.id, usd)
  expect(await deliver(world, one.paid())).toMatchObject({ ok: true })
  return one
}

/** One charged minute. @param seconds under 10 it comes back by itself, three times in 30 days */
async function call(user: UserRow, seconds: number): Promise<string> {
  const { callId, end } = await connectCall(createCallControl(services), user.id, expensive)
  await end(seconds * 1000)
  return callId
}

const offered = async (user: UserRow, paymentId: string) => {
  const offer = await offerRefund(services, user.id, paymentId)
  return offer.ok ? offer.value : offer.code
}

describe('goodwill', () => {
  test('is no cash: $5 paid, six bad calls credited, and nothing of the remaining credits goes to the card', async () => {
    const user = await world.addUser()
    const one = await pay(user, 5)
    for (let n = 0; n < 3; n += 1) await call(user, 5)
    expect(await accountState(world, user.id)).toMatchObject({ balance: 5 })
    for (let n = 0; n < 3; n += 1) {
      const callId = await call(user, 30)
      expect(await claimCall(services, user.id, callId, 'echo')).toEqual({ ok: true, value: 1 })
    }
    expect(await accountState(world, user.id)).toMatchObject({ balance: 4.58 })
    expect(await offered(user, one.id)).toBe('nothing_unused')
    const byOperator = await refundPayment(services, {
      requestId: services.random.uuid(),
      paymentId: one.id,
      amountMicroUsd: null,
      reason: 'a test',
      actor: 'test',
    })
    expect(byOperator).toEqual({ ok: false, code: 'nothing_unused' })
  })

  test('stays for calls when the rest of the payment is refunded', async () => {
    const user = await world.addUser()
    const one = await pay(user, 5)
    await call(user, 5)
    expect(await offered(user, one.id)).toMatchObject({ amount: 3.86, credits: 3.86 })
    expect(await requestRefund(services, user.id, one.id, 3.86)).toMatchObject({ ok: true })
    expect(await accountState(world, user.id)).toMatchObject({ balance: 1.14 })
  })
})

test('a bonus and an adjustment are no cash, before the purchase or after it', async () => {
  const user = await world.addUser({ credit: 7 })
  const one = await pay(user, 50)
  await call(user, 30)
  const { email } = user
  const gift = {
    requestId: services.random.uuid(),
    email,
    amountMicroUsd: 9_000_000,
    reason: 'a test',
    actor: 'test',
  }
  await creditAccount(services, gift)
  const amount = 50 - 1.14
  expect(await offered(user, one.id)).toMatchObject({ amount })
  expect(await requestRefund(services, user.id, one.id, amount)).toMatchObject({ ok: true })
  // The gifts, and of the bonus the part of what calls used.
  expect((await accountState(world, user.id)).balance).toBeCloseTo(7 + 9 + 2 * (1.14 / 50), 5)
})

test('over any story of payments, calls, gifts and refunds, cards get at most what was paid less what paid-for calls cost', async () => {
  const act = fc.oneof(
    fc.record({ what: fc.constant('pay' as const), usd: fc.constantFrom(5, 10, 50, 100) }),
    fc.record({ what: fc.constant('call' as const), seconds: fc.constantFrom(5, 30, 130) }),
    fc.record({ what: fc.constant('claim' as const) }),
    fc.record({ what: fc.constant('give' as const), cents: fc.integer({ min: 1, max: 2000 }) }),
    fc.record({ what: fc.constant('refund' as const), which: fc.nat(5) }),
    fc.record({ what: fc.constant('later' as const), hours: fc.constantFrom(1, 30) }),
  )
  const story = fc.array(act, { minLength: 8, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(story, async acts => {
      const user = await world.addUser()
      const payments: string[] = []
      let lastCall: string | undefined
      // The walk of bought credits: a call takes from them what is there, whatever was given.
      let [bought, paid, paidFor, refunded] = [0, 0, 0, 0]
      for (const one of acts) {
        if (one.what === 'pay') {
          payments.push((await pay(user, one.usd)).id)
          bought += one.usd * 1_000_000
          paid += one.usd * 1_000_000
        }
        const minutes = one.what === 'call' ? Math.ceil(one.seconds / 60) : 0
        if (one.what === 'call' && (await accountState(world, user.id)).balance >= minutes * 1.14) {
          lastCall = await call(user, one.seconds)
          const fromBought = Math.min(bought, minutes * rateMicroUsd)
          bought -= fromBought
          paidFor += fromBought
        }
        if (one.what === 'claim' && lastCall !== undefined)
          await claimCall(services, user.id, lastCall, 'echo')
        if (one.what === 'give') {
          const requestId = services.random.uuid()
          const amountMicroUsd = one.cents * 10_000
          const { email } = user
          await creditAccount(services, { requestId, email, amountMicroUsd, reason: 'a test', actor: 'test' })
        }
        if (one.what === 'later') world.clock.advance(one.hours * 3600_000)
        const asked = one.what === 'refund' ? payments[one.which % payments.length] : undefined
        const offer = asked && (await offered(user, asked))
        if (asked !== undefined && typeof offer === 'object') {
          expect(offer.amount * 1_000_000).toBeLessThanOrEqual(bought)
          expect(await requestRefund(services, user.id, asked, offer.amount)).toMatchObject({ ok: true })
          bought -= Math.round(offer.amount * 1_000_000)
          refunded += Math.round(offer.amount * 1_000_000)
        }
      }
      expect(refunded).toBeLessThanOrEqual(paid - paidFor)
      const back = world.provider.refunds.filter(({ intentRef }) => payments.includes(intentRef.slice(3)))
      expect(back.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0)).toBe(refunded)
      expect(await findBreaches(world.db)).toEqual([])
    }),
    { numRuns: 8, seed: 17 },
  )
})
