import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { refundGraceMs } from '#server/payments/refunds/refund-rows.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver, type Order, order, spend } from './buyer.ts'
import { asked, code, endRefunds, mailsTo, operator, paid } from './refund-customer.ts'

const world = keepForFile(await createWorld())
afterEach(() => endRefunds(world))

describe('the provider', () => {
  test('that takes its time: the credits are away at once, the e-mail comes when it is done', async () => {
    const { user, one } = await paid(world, 10)
    world.provider.refunding = 'pending'
    expect(await asked(world, user, one, 10)).toEqual({ ok: true, value: { state: 'pending', amount: 10 } })
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    expect(await mailsTo(world, user)).toEqual([])
    const ref = `re_${world.provider.refunds[0]?.key}`
    await deliver(world, one.refund(10, 'succeeded', ref))
    expect(await mailsTo(world, user)).toEqual(['Your refund, $10.00'])
  })

  test('whose refund fails later: the credits return, and it may be asked for again', async () => {
    const { user, one } = await paid(world, 10)
    await asked(world, user, one, 10)
    await deliver(world, one.refund(10, 'failed', `re_${world.provider.refunds[0]?.key}`))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 10 })
    expect(await mailsTo(world, user)).toEqual([
      'Your refund, $10.00',
      "Your refund of $10.00 didn't go through",
    ])
    expect(code(await asked(world, user, one, 10))).toBe('ok')
    expect(new Set(world.provider.refunds.map(({ key }) => key)).size).toBe(2)
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  })

  test('that the provider rejects: the credits are back', async () => {
    const { user, one } = await paid(world, 50)
    world.provider.refunding = 'refused'
    expect(code(await asked(world, user, one, 50))).toBe('refund_refused')
    expect(await accountState(world, user.id)).toMatchObject({ balance: 52 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 52, payments: -50, promotions: -2 })
    expect(await mailsTo(world, user)).toEqual(["Your refund of $50.00 didn't go through"])
  })

  describe.each(['at once', 'after it was believed to be done'])('that the provider rejects: %s', when => {
    /** $20, of which a refund by the house took what was not spent, and our losses the rest; then so much was bought. */
    async function withLosses() {
      const { user, one } = await paid(world, 20)
      await spend(world, user, 17)
      await deliver(world, one.refund(8, 'succeeded', `re_house_${one.id}`))
      await deliver(world, (await order(world, user.id, 10)).paid())
      expect(await accountsOf(world, one.id)).toEqual({ customer: 17, dispute_losses: -5, payments: -12 })
      expect(await accountState(world, user.id)).toMatchObject({ balance: 10 })
      return { user, one }
    }

    async function refused(user: UserRow, one: Order, usd: number) {
      world.provider.refunding = when === 'at once' ? 'refused' : 'succeeded'
      const answer = await asked(world, user, one, usd)
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
    const { user, one } = await paid(world, 20)
    await spend(world, user, 10)
    await asked(world, user, one, 10)
    await deliver(world, one.refund(6, 'succeeded', 're_house'))
    expect(await accountsOf(world, one.id)).toEqual({ customer: 10, dispute_losses: -6, payments: -4 })
    await deliver(world, one.refund(10, 'failed', `re_${world.provider.refunds[0]?.key}`))
    expect(await accountState(world, user.id)).toMatchObject({ balance: 4 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 14, payments: -14 })
  })

  test.each(['before', 'after'] as const)(
    'that is not reached %s it has done it is asked again with the same key',
    async away => {
      const { user, one } = await paid(world, 10)
      world.provider.away = away
      expect(await asked(world, user, one, 10)).toEqual({ ok: true, value: { state: 'pending', amount: 10 } })
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
      expect(await asked(world, user, one, 10)).toEqual({
        ok: true,
        value: { state: 'succeeded', amount: 10 },
      })
      expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    },
  )

  test('that forgets keys after a day is not asked again after 20 hours', async () => {
    const { user, one } = await paid(world, 10)
    world.provider.away = 'before'
    await asked(world, user, one, 10)
    world.provider.away = 'no'
    world.clock.advance(20 * 3600_000)
    expect(await repeatRefunds(world.services)).toBe(0)
    expect(world.provider.refunds).toEqual([])
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  })

  test('whose event overtakes its answer is applied', async () => {
    const { user, one } = await paid(world, 10)
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
    const { user, one } = await paid(world, 10)
    await spend(world, user, 5)
    world.provider.away = 'before'
    await asked(world, user, one, 5)
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
    const { user, one } = await paid(world, 20)
    const [first, second] = [randomUUID(), randomUUID()]
    world.provider.away = 'before'
    expect(await operator(world, one, first, 10)).toMatchObject({ ok: true, value: { state: 'pending' } })
    expect(await operator(world, one, second, 10)).toMatchObject({ ok: true, value: { state: 'pending' } })
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
