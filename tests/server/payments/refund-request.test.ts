import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { refundPayment } from '#server/payments/refunds/operator-refund.ts'
import { offerRefund, repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { refundGraceMs } from '#server/payments/refunds/refund-rows.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'
import { accountState, accountsOf, deliver, type Order, order, spend } from './buyer.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => {
  world.provider.away = 'no'
  world.provider.refunding = 'succeeded'
  world.provider.refunds.length = 0
  expect(await findBreaches(world.db)).toEqual([])
})
afterAll(async () => {
  await world.close()
})

const dayMs = 24 * 3600_000

async function paid(usd: number): Promise<{ user: UserRow; one: Order }> {
  const user = await world.addUser()
  const one = await order(world, user.id, usd)
  await deliver(world, one.paid())
  return { user, one }
}

const offered = (user: UserRow, one: Order) => offerRefund(world.services, user.id, one.id)
const asked = (user: UserRow, one: Order, usd: number) => requestRefund(world.services, user.id, one.id, usd)
const operator = (one: Order, requestId: string, usd: number) =>
  refundPayment(world.services, {
    requestId,
    paymentId: one.id,
    amountMicroUsd: usd * 1_000_000,
    reason: 'a test',
    actor: 'test',
  })
const code = (answer: { ok: boolean; code?: string }) => (answer.ok ? 'ok' : answer.code)

/** Subjects of the mails about refunds to somebody. */
async function mailsTo(user: UserRow): Promise<string[]> {
  const rows = await world.db.query<{ subject: string }>(
    `select data ->> 'subject' as subject from job where data ->> 'to' = $1 and key like 'mail:refund:%' order by id`,
    [user.email],
  )
  return rows.map(({ subject }) => subject)
}

test('unused, a payment comes back whole and takes its bonus along; asked again nothing more happens', async () => {
  const { user, one } = await paid(50)
  expect(await offered(user, one)).toMatchObject({ ok: true, value: { amount: 50, credits: 52 } })
  expect(await asked(user, one, 50)).toEqual({ ok: true, value: { state: 'succeeded', amount: 50 } })
  expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  expect(await accountsOf(world, one.id)).toEqual({})
  expect(await asked(user, one, 50)).toEqual({ ok: true, value: { state: 'succeeded', amount: 50 } })
  expect(code(await offered(user, one))).toBe('already_asked')
  expect(world.provider.refunds).toHaveLength(1)
  expect(await mailsTo(user)).toEqual(['Your refund, $50.00'])
  // The event says the same again.
  const [refund] = world.provider.refunds
  await deliver(world, one.refund(50, 'succeeded', `re_${refund?.key}`))
  expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  expect(await mailsTo(user)).toHaveLength(1)
})

test('refunds the unused rest of one that was used in part, the bonus goes in proportion, and nothing is lost', async () => {
  const { user, one } = await paid(50)
  await spend(world, user, 26)
  expect(await offered(user, one)).toMatchObject({ ok: true, value: { amount: 24, credits: 24.96 } })
  expect(code(await asked(user, one, 50))).toBe('amount_changed')
  expect(code(await asked(user, one, 24))).toBe('ok')
  expect(await accountState(world, user.id)).toMatchObject({ balance: 1.04 })
  expect(await accountsOf(world, one.id)).toEqual({ customer: 27.04, payments: -26, promotions: -1.04 })
})

test('many presses at once make one refund', async () => {
  const { user, one } = await paid(10)
  const answers = await Promise.all(Array.from({ length: 10 }, () => asked(user, one, 10)))
  expect(new Set(answers.map(code))).toEqual(new Set(['ok']))
  expect(world.provider.refunds).toHaveLength(1)
  expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
})

describe('is refused', () => {
  test('after seven days, when used up, while disputed, in a call, and to anybody else', async () => {
    const { user, one } = await paid(10)
    const stranger = await world.addUser({ credit: 10 })
    expect(code(await offered(stranger, one))).toBe('unknown_payment')
    expect(code(await asked(stranger, one, 10))).toBe('unknown_payment')

    const call = await connectCall(world.control, user.id, '+12125550100')
    expect(code(await offered(user, one))).toBe('call_in_progress')
    await call.end(1000)
    await spend(world, user, 9.98)
    expect(code(await offered(user, one))).toBe('nothing_unused')

    const other = await paid(10)
    world.clock.advance(7 * dayMs)
    expect(code(await offered(other.user, other.one))).toBe('ok')
    world.clock.advance(1)
    expect(code(await asked(other.user, other.one, 10))).toBe('too_late')

    const third = await paid(10)
    await deliver(world, third.one.dispute(5))
    expect(code(await offered(third.user, third.one))).toBe('disputed')
    expect(world.provider.refunds).toHaveLength(0)
  })

  test('before it is paid', async () => {
    const user = await world.addUser()
    const one = await order(world, user.id, 10)
    expect(code(await asked(user, one, 10))).toBe('unknown_payment')
  })
})

describe('the provider', () => {
  test('that takes its time: the credits are away at once, the e-mail comes when it is done', async () => {
    const { user, one } = await paid(10)
    world.provider.refunding = 'pending'
    expect(await asked(user, one, 10)).toEqual({ ok: true, value: { state: 'pending', amount: 10 } })
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    expect(await mailsTo(user)).toEqual([])
    const ref = `re_${world.provider.refunds[0]?.key}`
    await deliver(world, one.refund(10, 'succeeded', ref))
    expect(await mailsTo(user)).toEqual(['Your refund, $10.00'])
  })

  test('whose refund fails later: the credits return, and it may be asked for again', async () => {
    const { user, one } = await paid(10)
    await asked(user, one, 10)
    await deliver(world, one.refund(10, 'failed', `re_${world.provider.refunds[0]?.key}`))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 10 })
    expect(await mailsTo(user)).toEqual(['Your refund, $10.00', 'Your refund of $10.00 did not go through'])
    expect(code(await asked(user, one, 10))).toBe('ok')
    expect(new Set(world.provider.refunds.map(({ key }) => key)).size).toBe(2)
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  })

  test('that the provider rejects: the credits are back', async () => {
    const { user, one } = await paid(50)
    world.provider.refunding = 'refused'
    expect(code(await asked(user, one, 50))).toBe('refund_refused')
    expect(await accountState(world, user.id)).toMatchObject({ balance: 52 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 52, payments: -50, promotions: -2 })
    expect(await mailsTo(user)).toEqual(['Your refund of $50.00 did not go through'])
  })

  describe.each(['at once', 'after it was believed to be done'])('that the provider rejects: %s', when => {
    /** $20, of which a refund by the house took what was not spent, and our losses the rest; then so much was bought. */
    async function withLosses() {
      const { user, one } = await paid(20)
      await spend(world, user, 17)
      await deliver(world, one.refund(8, 'succeeded', `re_house_${one.id}`))
      await deliver(world, (await order(world, user.id, 10)).paid())
      expect(await accountsOf(world, one.id)).toEqual({ customer: 17, dispute_losses: -5, payments: -12 })
      expect(await accountState(world, user.id)).toMatchObject({ balance: 10 })
      return { user, one }
    }

    async function refused(user: UserRow, one: Order, usd: number) {
      world.provider.refunding = when === 'at once' ? 'refused' : 'succeeded'
      const answer = await asked(user, one, usd)
      if (when === 'at once') expect(code(answer)).toBe('refund_refused')
      else await deliver(world, one.refund(usd, 'failed', `re_${world.provider.refunds.at(-1)?.key}`))
    }

    test('leaves a payment that has losses as it was before, however often it is asked', async () => {
      const { user, one } = await withLosses()
      for (let times = 1; times <= 3; times += 1) {
        await refused(user, one, 10)
        expect(await accountState(world, user.id)).toMatchObject({ balance: 10 })
        expect(await accountsOf(world, one.id)).toEqual({ customer: 17, dispute_losses: -5, payments: -12 })
      }
      // What the house refunded comes back still: to the losses first.
      await deliver(world, one.refund(8, 'failed', `re_house_${one.id}`))
      expect(await accountState(world, user.id)).toMatchObject({ balance: 13 })
      expect(await accountsOf(world, one.id)).toEqual({ customer: 20, payments: -20 })
    })
  })

  test('that refuses after another loss came: its owner has what they would have without asking', async () => {
    const { user, one } = await paid(20)
    await spend(world, user, 10)
    await asked(user, one, 10)
    await deliver(world, one.refund(6, 'succeeded', 're_house'))
    expect(await accountsOf(world, one.id)).toEqual({ customer: 10, dispute_losses: -6, payments: -4 })
    await deliver(world, one.refund(10, 'failed', `re_${world.provider.refunds[0]?.key}`))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 4 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 14, payments: -14 })
  })

  test.each(['before', 'after'] as const)(
    'that is not reached %s it has done it is asked again with the same key',
    async away => {
      const { user, one } = await paid(10)
      world.provider.away = away
      expect(await asked(user, one, 10)).toEqual({ ok: true, value: { state: 'pending', amount: 10 } })
      expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
      expect(await repeatRefunds(world.services)).toBe(0)
      expect(world.provider.refunds).toHaveLength(away === 'after' ? 1 : 0)
      world.clock.advance(refundGraceMs)
      expect(await repeatRefunds(world.services)).toBe(0)
      world.provider.away = 'no'
      world.clock.advance(refundGraceMs)
      expect(await repeatRefunds(world.services)).toBe(1)
      world.clock.advance(refundGraceMs)
      expect(await repeatRefunds(world.services)).toBe(0)
      expect(new Set(world.provider.refunds.map(({ key }) => key)).size).toBe(1)
      expect(await asked(user, one, 10)).toEqual({ ok: true, value: { state: 'succeeded', amount: 10 } })
      expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    },
  )

  test('that forgets keys after a day is not asked again after 20 hours', async () => {
    const { user, one } = await paid(10)
    world.provider.away = 'before'
    await asked(user, one, 10)
    world.provider.away = 'no'
    world.clock.advance(20 * 3600_000)
    expect(await repeatRefunds(world.services)).toBe(0)
    expect(world.provider.refunds).toEqual([])
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  })

  test('whose event overtakes its answer is applied', async () => {
    const { user, one } = await paid(10)
    const payments = {
      ...world.provider,
      refund: async (refundRequest: { key: string; intentRef: string; amountMicroUsd: number }) => {
        await deliver(world, one.refund(10, 'succeeded', `re_${refundRequest.key}`, refundRequest.key))
        return world.provider.refund(refundRequest)
      },
    }
    const answer = await requestRefund({ ...world.services, payments }, user.id, one.id, 10)
    expect(answer).toMatchObject({ ok: true, value: { state: 'succeeded' } })
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    expect(await accountsOf(world, one.id)).toEqual({})
  })

  test('is not mistaken for a refund made at the provider at the same moment: both count', async () => {
    const { user, one } = await paid(10)
    await spend(world, user, 5)
    world.provider.away = 'before'
    await asked(user, one, 5)
    const known = () =>
      world.db.query(
        'select ref, state, requested_by from refund where payment_id = $1 order by requested_by desc',
        [one.id],
      )
    const [{ key } = { key: '' }] = await world.db.query<{ key: string }>(
      'select key from refund where payment_id = $1',
      [one.id],
    )
    await deliver(world, one.refund(5, 'succeeded', 're_dashboard'))
    expect(await known()).toEqual([
      { ref: `asked:${key}`, state: 'pending', requested_by: 'user' },
      { ref: 're_dashboard', state: 'succeeded', requested_by: 'provider' },
    ])
    world.provider.away = 'no'
    await deliver(world, one.refund(5, 'succeeded', `re_${key}`, key))
    expect(await known()).toEqual([
      { ref: `re_${key}`, state: 'succeeded', requested_by: 'user' },
      { ref: 're_dashboard', state: 'succeeded', requested_by: 'provider' },
    ])
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 5, dispute_losses: -5 })
  })

  test('may wait beside another that is alike: each is made, and none twice', async () => {
    const { user, one } = await paid(20)
    const [first, second] = [randomUUID(), randomUUID()]
    world.provider.away = 'before'
    expect(await operator(one, first, 10)).toMatchObject({ ok: true, value: { state: 'pending' } })
    expect(await operator(one, second, 10)).toMatchObject({ ok: true, value: { state: 'pending' } })
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    world.provider.away = 'no'
    world.clock.advance(refundGraceMs)
    expect(await repeatRefunds(world.services)).toBe(2)
    expect(new Set(world.provider.refunds.map(({ key }) => key))).toEqual(new Set([first, second]))
    for (const key of [second, first]) await deliver(world, one.refund(10, 'succeeded', `re_${key}`, key))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    expect(await accountsOf(world, one.id)).toEqual({})
  })
})

test('an operator refunds nothing that is disputed, that a call may use, or under a request that was another', async () => {
  const { user, one } = await paid(20)
  const request = randomUUID()
  expect(code(await operator(one, request, 5))).toBe('ok')
  expect(code(await operator(one, request, 6))).toBe('request_used')
  expect(code(await operator((await paid(20)).one, request, 5))).toBe('request_used')
  const call = await connectCall(world.control, user.id, '+12125550100')
  expect(code(await operator(one, randomUUID(), 5))).toBe('call_in_progress')
  await call.end(1000)
  expect(code(await operator(one, randomUUID(), 15))).toBe('too_much')
  await deliver(world, one.dispute(1))
  expect(code(await operator(one, randomUUID(), 5))).toBe('disputed')
  expect(world.provider.refunds).toHaveLength(1)
  expect(await mailsTo(user)).toEqual([])
})
