import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { offerRefund } from '#server/payments/refunds/refund-request.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver, type Order, order, spend } from './buyer.ts'
import { asked, code, endRefunds, mailsTo, operator, paid } from './refund-customer.ts'

const world = keepForFile(await createWorld())
afterEach(() => endRefunds(world))

const dayMs = 24 * 3600_000

const offered = (user: UserRow, one: Order) => offerRefund(world.services, user.id, one.id)

test('unused, a payment comes back whole and takes its bonus along; asked again nothing more happens', async () => {
  const { user, one } = await paid(world, 50)
  expect(await offered(user, one)).toMatchObject({ ok: true, value: { amount: 50, credits: 52 } })
  expect(await asked(world, user, one, 50)).toEqual({ ok: true, value: { state: 'succeeded', amount: 50 } })
  expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  expect(await accountsOf(world, one.id)).toEqual({})
  expect(await asked(world, user, one, 50)).toEqual({ ok: true, value: { state: 'succeeded', amount: 50 } })
  expect(code(await offered(user, one))).toBe('already_asked')
  expect(world.provider.refunds).toHaveLength(1)
  expect(await mailsTo(world, user)).toEqual(['Your refund, $50.00'])
  // The event says the same again.
  const [refund] = world.provider.refunds
  await deliver(world, one.refund(50, 'succeeded', `re_${refund?.key}`))
  expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  expect(await mailsTo(world, user)).toHaveLength(1)
})

test('refunds the unused rest of one that was used in part, the bonus goes in proportion, and nothing is lost', async () => {
  const { user, one } = await paid(world, 50)
  await spend(world, user, 26)
  expect(await offered(user, one)).toMatchObject({ ok: true, value: { amount: 24, credits: 24.96 } })
  expect(code(await asked(world, user, one, 50))).toBe('amount_changed')
  expect(code(await asked(world, user, one, 24))).toBe('ok')
  expect(await accountState(world, user.id)).toMatchObject({ balance: 1.04 })
  expect(await accountsOf(world, one.id)).toEqual({ customer: 27.04, payments: -26, promotions: -1.04 })
})

test('many presses at once make one refund', async () => {
  const { user, one } = await paid(world, 10)
  const answers = await Promise.all(Array.from({ length: 10 }, () => asked(world, user, one, 10)))
  expect(new Set(answers.map(code))).toEqual(new Set(['ok']))
  expect(world.provider.refunds).toHaveLength(1)
  expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
})

describe('is refused', () => {
  test('after seven days, when used up, while disputed, in a call, and to anybody else', async () => {
    const { user, one } = await paid(world, 10)
    const stranger = await world.addUser({ credit: 10 })
    expect(code(await offered(stranger, one))).toBe('unknown_payment')
    expect(code(await asked(world, stranger, one, 10))).toBe('unknown_payment')

    const call = await connectCall(world.control, user.id, '+12125550100')
    expect(code(await offered(user, one))).toBe('call_in_progress')
    await call.end(1000)
    await spend(world, user, 9.98)
    expect(code(await offered(user, one))).toBe('nothing_unused')

    const other = await paid(world, 10)
    world.clock.advance(7 * dayMs)
    expect(code(await offered(other.user, other.one))).toBe('ok')
    world.clock.advance(1)
    expect(code(await asked(world, other.user, other.one, 10))).toBe('too_late')

    const third = await paid(world, 10)
    await deliver(world, third.one.dispute(5))
    expect(code(await offered(third.user, third.one))).toBe('disputed')
    expect(world.provider.refunds).toHaveLength(0)
  })

  test('before it is paid', async () => {
    const user = await world.addUser()
    const one = await order(world, user.id, 10)
    expect(code(await asked(world, user, one, 10))).toBe('unknown_payment')
  })
})

test('an operator refunds nothing that is disputed, that a call may use, or under a request that was another', async () => {
  const { user, one } = await paid(world, 20)
  const request = randomUUID()
  expect(code(await operator(world, one, request, 5))).toBe('ok')
  expect(code(await operator(world, one, request, 6))).toBe('request_used')
  expect(code(await operator(world, (await paid(world, 20)).one, request, 5))).toBe('request_used')
  const call = await connectCall(world.control, user.id, '+12125550100')
  expect(code(await operator(world, one, randomUUID(), 5))).toBe('call_in_progress')
  await call.end(1000)
  expect(code(await operator(world, one, randomUUID(), 15))).toBe('too_much')
  await deliver(world, one.dispute(1))
  expect(code(await operator(world, one, randomUUID(), 5))).toBe('disputed')
  expect(world.provider.refunds).toHaveLength(1)
  expect(await mailsTo(world, user)).toEqual([])
})
