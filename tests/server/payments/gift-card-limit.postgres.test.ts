import { expect, test } from 'vitest'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { cardOf, deliver } from './buyer.ts'
import { giftOf, orderGift } from './gift-people.ts'

const world = keepForFile(await createWorld())

test('one card pays for $200 of booklets a day, also when accounts pay at once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const people = await Promise.all([world.addUser(), world.addUser()])
    const card = cardOf(`round ${round}`)
    const orders = await Promise.all(people.map(({ id }) => orderGift(world, id, { amountUsd: 150 })))
    await Promise.all(orders.map(one => deliver(world, one.paid({ card }))))
    const states = await Promise.all(
      people.map(async ({ id }, n) => (await giftOf(world, id, orders[n]?.id ?? '')).state),
    )
    expect(states.sort()).toEqual(['in_review', 'ready'])
  }
  expect(await findBreaches(world.db)).toEqual([])
})
