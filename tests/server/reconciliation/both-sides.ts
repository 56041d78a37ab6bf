import { expect } from 'vitest'
import { reconcileEverything } from '#server/reconciliation/reconcile-report.ts'
import type { World } from '#support/world.ts'
import { deliver, type Order, order } from '../payments/buyer.ts'

export const dayMs = 24 * 3600_000

export const differences = async (world: World) => (await reconcileEverything(world.services)).differences

/** A payment that is paid on both sides. */
export async function buy(world: World, usd = 10): Promise<Order> {
  const user = await world.addUser()
  const one = await order(world, user.id, usd)
  await deliver(world, one.paid())
  world.provider.known.set(`cs_${one.id}`, one.paid())
  return one
}

/** What a test bought is compared no longer, and nothing differs. */
export async function endComparison(world: World): Promise<void> {
  world.provider.away = 'no'
  world.clock.advance(8 * dayMs)
  expect(await differences(world)).toEqual([])
}
