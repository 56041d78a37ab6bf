import { afterEach, expect, test } from 'vitest'
import { reconcileAfterMs, reconcileCheckouts } from '#server/payments/reconcile-checkouts.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, order, paymentsOf } from './buyer.ts'

const world = keepForFile(await createWorld())
afterEach(() => {
  world.provider.away = 'no'
})

const state = async (userId: string) => (await paymentsOf(world, userId)).map(payment => payment.state)

test('a checkout whose event was lost is looked up and fulfilled, once it is late', async () => {
  const { id } = await world.addUser()
  const one = await order(world, id, 50)
  world.provider.known.set(`cs_${one.id}`, one.paid())
  world.clock.advance(reconcileAfterMs - 1)
  expect(await reconcileCheckouts(world.services)).toBe(0)
  world.clock.advance(1)
  expect(await reconcileCheckouts(world.services)).toBe(1)
  expect(await reconcileCheckouts(world.services)).toBe(0)
  expect(await accountState(world, id)).toMatchObject({ balance: 52 })
})

test('an open one is asked about ever less often, and an expired one is closed', async () => {
  const { id } = await world.addUser()
  const one = await order(world, id, 25)
  let asked = 0
  const payments = {
    ...world.provider,
    lookUp: async (ref: string) => {
      asked += 1
      return world.provider.lookUp(ref)
    },
  }
  for (let minute = 0; minute < 90; minute += 1) {
    world.clock.advance(60_000)
    await reconcileCheckouts({ ...world.services, payments })
  }
  expect(asked).toBeGreaterThanOrEqual(5)
  expect(asked).toBeLessThanOrEqual(7)
  world.provider.known.set(`cs_${one.id}`, one.expired())
  world.clock.advance(3600_000)
  expect(await reconcileCheckouts(world.services)).toBe(1)
  expect(await state(id)).toEqual(['expired'])
})

test('a provider that is away is asked again; one that never confirmed a checkout has it expire', async () => {
  const { id } = await world.addUser()
  const one = await order(world, id, 25)
  world.provider.known.set(`cs_${one.id}`, one.paid())
  world.clock.advance(reconcileAfterMs)
  world.provider.away = 'before'
  expect(await reconcileCheckouts(world.services)).toBe(0)
  await expect(order(world, id, 50)).rejects.toThrow('payments_unavailable')
  world.provider.away = 'no'
  world.clock.advance(reconcileAfterMs)
  expect(await reconcileCheckouts(world.services)).toBe(1)
  expect(await state(id)).toEqual(['paid', 'open'])
  world.clock.advance(24 * 3600_000)
  await reconcileCheckouts(world.services)
  expect(await state(id)).toEqual(['paid', 'expired'])
})
