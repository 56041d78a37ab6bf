import { afterEach, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { rewardReferral } from '#server/referrals/reward.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountState, orderByLink, passRefundWindow, runRewards, spend } from './buyer.ts'
import {
  balanceOf,
  deliverUpdate,
  mailsTo,
  newCard,
  pageOf,
  pay,
  statesOf,
  twoPeople,
} from './referral-people.ts'
import { operator } from './refund-customer.ts'

const world = keepForFile(await createWorld())
afterEach(() => passRefundWindow(world))
const dayMs = 24 * 3600_000

const setEmail = (user: UserRow, email: string) =>
  world.db.query('update app_user set email = $2 where id = $1', [user.id, email])

describe('the reward', () => {
  test("is denied for one's own account, card, device or mailbox", async () => {
    const { referrer, code } = await twoPeople(world)
    await pay(world, referrer.id, 10, code)
    const card = newCard()
    await pay(world, referrer.id, 10, '', card)
    const byCard = await world.addUser()
    await pay(world, byCard.id, 10, code, card)
    await pay(world, byCard.id, 10, code)
    const kept = newCard()
    await world.db.query(
      `insert into saved_card (user_id, provider, customer_ref, method_ref, brand, last4, fingerprint, consented_at, saved_at)
       values ($1, 'local', 'cus_kept', 'pm_kept', 'visa', '4242', $2, $3, $3)`,
      [referrer.id, kept.fingerprint, world.clock.now()],
    )
    const byKeptCard = await world.addUser()
    await pay(world, byKeptCard.id, 10, code, kept)
    const byDevice = await world.addUser()
    for (const { id } of [referrer, byDevice]) {
      await world.db.query(
        `insert into caller_origin (user_id, device, local, seen_at) values ($1, '\\x01', false, $2)`,
        [id, world.clock.now()],
      )
    }
    await pay(world, byDevice.id, 10, code)
    await setEmail(referrer, 'sly.fox@gmail.com')
    const byMailbox = await world.addUser()
    await setEmail(byMailbox, 'SlyFox+two@googlemail.com'.toLowerCase())
    await pay(world, byMailbox.id, 10, code)
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(20)
    expect(await pageOf(world, referrer)).toMatchObject({ joined: 4, paid: 0, earned: 0 })
    expect(await statesOf(world, referrer)).toEqual(['own', 'own', 'own', 'own'])
  })

  test("is denied to a browser that made a free call from the referrer's account before", async () => {
    const referrer = await world.addUser({ freeCall: 'available' })
    const { code } = await pageOf(world, referrer)
    const [shared, own] = [world.services.random.uuid(), world.services.random.uuid()]
    await noteOrigin(world.services, referrer.id, { address: '192.0.2.50', device: shared })
    await (await connectCall(world.control, referrer.id, '+12125550142')).end(1000)
    await noteOrigin(world.services, referrer.id, { address: '192.0.2.50', device: own })
    const referee = await world.addUser()
    await noteOrigin(world.services, referee.id, { address: '192.0.2.51', device: shared })
    await pay(world, referee.id, 10, code)
    await passRefundWindow(world)
    expect((await pageOf(world, referrer)).people).toMatchObject([{ state: 'own', earned: 0 }])
  })

  test('is bounded: forty friends who pay with one card and get a refund earn nothing, and one who keeps it earns once', async () => {
    const { referrer, code } = await twoPeople(world)
    await pay(world, referrer.id, 5, '')
    const card = newCard()
    const friends: UserRow[] = []
    for (let n = 0; n < 40; n += 1) {
      const friend = await world.addUser()
      friends.push(friend)
      const one = await pay(world, friend.id, 10, code, card)
      world.clock.advance(1)
      // Two of them keep what they bought; the others lose it, those beyond the third from what is held for review.
      const ask = () =>
        n < 3
          ? requestRefund(world.services, friend.id, one.id, 10)
          : operator(world, one, world.services.random.uuid(), 10)
      if (n > 1) expect(await ask()).toMatchObject({ ok: true })
    }
    expect(await balanceOf(world, referrer)).toBe(5)
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(10)
    const states = await statesOf(world, referrer)
    expect(states.filter(state => state === 'returned')).toHaveLength(38)
    expect(states.filter(state => state === 'paid')).toHaveLength(1)
    expect(states.filter(state => state === 'repeated')).toHaveLength(1)
  })

  test('is given once for a mailbox, however its address is written', async () => {
    const { referrer, code } = await twoPeople(world)
    for (const email of [
      'ann.o@gmail.com',
      'anno+1@gmail.com',
      'a.n.n.o+2@googlemail.com',
      'anno@example.net',
    ]) {
      const friend = await world.addUser()
      await setEmail(friend, email)
      await pay(world, friend.id, 10, code)
      world.clock.advance(1)
    }
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(10)
    expect((await statesOf(world, referrer)).sort()).toEqual(['paid', 'paid', 'repeated', 'repeated'])
  })

  test('is given once for a card that two referrers’ friends paid with, decided at the same moment', async () => {
    const [one, other] = [await twoPeople(world), await twoPeople(world)]
    const card = newCard()
    const payments = [
      await pay(world, one.referee.id, 10, one.code, card),
      await pay(world, other.referee.id, 10, other.code, card),
    ]
    world.clock.advance(7 * dayMs + 1)
    const decide = () => Promise.allSettled(payments.map(({ id }) => rewardReferral(world.services, id)))
    // The database rejects the second one, which is decided when its job is retried.
    await decide()
    await decide()
    expect((await balanceOf(world, one.referrer)) + (await balanceOf(world, other.referrer))).toBe(5)
    expect(
      [...(await statesOf(world, one.referrer)), ...(await statesOf(world, other.referrer))].sort(),
    ).toEqual(['paid', 'repeated'])
  })

  test('comes to $50 in a month at most, and again in the next', async () => {
    const { referrer, code } = await twoPeople(world)
    // To the first day of a month, so that the windows of all pass within it.
    const { clock } = world
    const now = clock.now()
    clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime())
    for (let n = 0; n < 12; n += 1) await pay(world, (await world.addUser()).id, 10, code)
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(50)
    expect((await statesOf(world, referrer)).filter(state => state === 'over_cap')).toHaveLength(2)
    clock.advance(25 * dayMs)
    await pay(world, (await world.addUser()).id, 10, code)
    await passRefundWindow(world)
    expect(await pageOf(world, referrer)).toMatchObject({ paid: 11, earned: 55 })
  })

  test('is denied if the account that paid is deleted by then', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    await pay(world, referee.id, 10, code)
    await world.db.query('update app_user set deleted_at = $2 where id = $1', [referee.id, world.clock.now()])
    expect(await statesOf(world, referrer)).toEqual(['gone'])
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    expect(await statesOf(world, referrer)).toEqual(['gone'])
  })
})

describe('a payment that was clawed back when its window has passed earns nothing', () => {
  test('refunded to less than what counts; a later one that stands earns in its place', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const one = await pay(world, referee.id, 25, code)
    await deliverUpdate(world, one.refund(15, 'succeeded', `re_1_${one.id}`))
    expect(await statesOf(world, referrer)).toEqual(['pending'])
    await deliverUpdate(world, one.refund(1, 'succeeded', `re_2_${one.id}`))
    expect(await statesOf(world, referrer)).toEqual(['returned'])
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    await pay(world, referee.id, 10, code)
    expect(await statesOf(world, referrer)).toEqual(['pending'])
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(5)
  })

  test('disputed; won later, it earns at once', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const one = await pay(world, referee.id, 10, code)
    await deliverUpdate(world, one.dispute(1))
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    expect(await statesOf(world, referrer)).toEqual(['returned'])
    await deliverUpdate(world, one.dispute(1, 'won'))
    expect(await balanceOf(world, referrer)).toBe(5)
  })

  test('whose refund fails, it earns after all', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const one = await pay(world, referee.id, 10, code)
    await deliverUpdate(world, one.refund(10, 'pending'))
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    await deliverUpdate(world, one.refund(10, 'failed'))
    expect(await balanceOf(world, referrer)).toBe(5)
  })

  test('waiting for a review; released later, it earns at once', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const one = await pay(world, referee.id, 600, code)
    expect((await pageOf(world, referrer)).people).toMatchObject([{ state: 'in_review', dueAt: null }])
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    const released = await releasePayment(world.services, one.id, { actor: 'test', reason: 'a test' })
    expect(released).toMatchObject({ ok: true })
    await runRewards(world)
    expect(await balanceOf(world, referrer)).toBe(5)
  })

  test('reported as fraud', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const one = await pay(world, referee.id, 10, code)
    await deliverUpdate(world, one.reported())
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    expect(await statesOf(world, referrer)).toEqual(['returned'])
  })

  test('refunded before it was reported', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const one = await orderByLink(world, referee.id, 10, code)
    await deliverUpdate(world, one.refund(10))
    await deliverUpdate(world, one.paid({ card: newCard() }))
    await passRefundWindow(world)
    expect(await balanceOf(world, referrer)).toBe(0)
    expect(await mailsTo(world, referee)).toEqual([])
  })
})

test('a reward that was given stays given: a dispute after that is a loss of the house, not of the referrer', async () => {
  const { referrer, referee, code } = await twoPeople(world)
  const one = await pay(world, referee.id, 10, code)
  await passRefundWindow(world)
  await spend(world, referrer, 3)
  await deliverUpdate(world, one.dispute(10))
  expect(await accountState(world, referrer.id)).toMatchObject({ balance: 2, canCall: true })
  await deliverUpdate(world, one.dispute(10, 'won'))
  await deliverUpdate(world, one.refund(10))
  expect(await balanceOf(world, referrer)).toBe(2)
  expect(await statesOf(world, referrer)).toEqual(['paid'])
})
