import { expect, test } from 'vitest'
import { lockPayment } from '#server/payments/rows.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { scheduleReward } from '#server/referrals/referrals.ts'
import { rewardReferral } from '#server/referrals/reward.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { deliver, orderByLink } from './buyer.ts'

const world = keepForFile(await createWorld())

test('an event of a payment and the reward that it earns do not wait for each other', async () => {
  const { db, clock, services } = world
  const [referrer, referee] = [await world.addUser(), await world.addUser()]
  const code = (await showReferrals(services, referrer.id))?.link.split('?ref=')[1] ?? ''
  const payment = await orderByLink(world, referee.id, 10, code)
  expect(await deliver(world, payment.paid())).toMatchObject({ ok: true })
  clock.advance(7 * 24 * 3600_000 + 1)
  let reward: Promise<unknown> = Promise.resolve()
  await db.transaction(async tx => {
    const locked = await lockPayment(tx, payment.id)
    if (locked === undefined) throw new Error('no such payment')
    reward = rewardReferral(services, payment.id)
    // It has the referrer and the referral by then, and names this payment and its buyer.
    await new Promise(resolve => setTimeout(resolve, 500))
    await scheduleReward(tx, locked.payment, clock.now())
  })
  await reward
  const [row] = await db.query<{ given: number }>('select given from referral where referee_id = $1', [
    referee.id,
  ])
  expect(row?.given).toBeGreaterThan(0)
  expect(await findBreaches(db)).toEqual([])
})
