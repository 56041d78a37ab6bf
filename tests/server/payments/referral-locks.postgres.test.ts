import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockPayment } from '#server/services/payments/rows.ts'
import { markReferralDue } from '#server/services/referral-attribution.ts'
import { settleDueReferrals } from '#server/services/referral-reward.ts'
import { showReferrals } from '#server/services/referrals.ts'
import { findBreaches } from '#support/books.ts'
import { createWorld, type World } from '#support/world.ts'
import { deliver, order, visa } from './buyer.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('news of a payment and the reward that follows it do not wait for each other', async () => {
  const { db, clock, services } = world
  const [referrer, referee] = [await world.addUser(), await world.addUser()]
  const code = (await showReferrals(services, referrer.id))?.link.split('?ref=')[1] ?? ''
  const payment = await order(world, referee.id, 10)
  await db.query('update payment set referral_code = $2 where id = $1', [payment.id, code])
  expect(
    await deliver(world, payment.paid({ card: { ...visa, fingerprint: 'fp-of-the-referee' } })),
  ).toMatchObject({
    ok: true,
  })
  let reward: Promise<unknown> = Promise.resolve()
  await db.transaction(async tx => {
    await lockPayment(tx, payment.id)
    reward = settleDueReferrals(services)
    // It has the referrer and the referral by then, and names this payment and its buyer.
    await new Promise(resolve => setTimeout(resolve, 500))
    await markReferralDue(tx, referee.id, clock.now())
  })
  await reward
  const [row] = await db.query<{ given: number }>('select given from referral where referee_id = $1', [
    referee.id,
  ])
  expect(row?.given).toBeGreaterThan(0)
  expect(await findBreaches(db)).toEqual([])
})
