import { expect, test } from 'vitest'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountState, deliver, order } from './buyer.ts'

const world = keepForFile(await createWorld())

/** REL-31. */
test('charges, top-ups, refunds and disputes at once keep the ledger balanced, and nobody waits for ever', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => world.addUser({ credit: 0.1 })))
  const calls = await Promise.all(users.map(({ id }) => connectCall(world.control, id, '+12125550100')))
  for (let round = 0; round < 4; round += 1) {
    const orders = await Promise.all(users.map(({ id }) => order(world, id, 5 + round)))
    world.clock.advance(60_001)
    const updates = orders.flatMap(one => [
      one.paid(),
      one.refund(2),
      one.paid(),
      one.dispute(3),
      one.dispute(3, 'won'),
      one.refund(1, 'failed', `re1_${one.id}`),
    ])
    await Promise.all([
      ...updates.map(event => deliver(world, event)),
      ...Array.from({ length: 6 }, () => chargeDueMinutes(world.services)),
    ])
    expect(await findBreaches(world.db)).toEqual([])
  }
  await Promise.all(calls.map(call => call.end(240_004)))
  for (const { id } of users) {
    // Of $26 bought $8 went back; the call took 5 minutes of 2 cents.
    expect(await accountState(world, id)).toMatchObject({ balance: 18 })
  }
})
