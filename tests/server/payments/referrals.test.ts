import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { noteOrigin } from '#server/services/calls/origin.ts'
import { refundPatienceMs, repeatRefunds, requestRefund } from '#server/services/payments/refund-request.ts'
import { attribute } from '#server/services/referral-attribution.ts'
import { settleDueReferrals } from '#server/services/referral-reward.ts'
import { showReferrals } from '#server/services/referrals.ts'
import { listTransfers } from '#server/services/transfers.ts'
import type { UserRow } from '#server/services/users.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'
import { deliver, order, spend, standing, visa } from './buyer.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await settleDueReferrals(world.services)
  expect(await findBreaches(world.db)).toEqual([])
})
afterAll(async () => {
  await world.close()
})

async function pageOf(user: UserRow) {
  const shown = await showReferrals(world.services, user.id)
  if (shown === undefined) throw new Error('no such user')
  return { ...shown, code: shown.link.split('?ref=')[1] ?? '' }
}

let cards = 0
const newCard = () => ({ ...visa, fingerprint: `fp-referral-${++cards}` })

/** Somebody who came by the link of somebody who has it. */
async function twoPeople() {
  const referrer = await world.addUser()
  const referee = await world.addUser()
  return { referrer, referee, code: (await pageOf(referrer)).code }
}

/** A payment of so much with this code; its events are delivered by the test. */
async function checkout(userId: string, usd: number, code: string) {
  const one = await order(world, userId, usd)
  await world.db.query('update payment set referral_code = $2 where id = $1', [one.id, code])
  return one
}

async function pay(userId: string, usd: number, code: string, card = newCard()) {
  const one = await checkout(userId, usd, code)
  expect(await deliver(world, one.paid({ card }))).toMatchObject({ ok: true })
  await settleDueReferrals(world.services)
  return one
}

async function tell(news: Parameters<typeof deliver>[1]) {
  expect(await deliver(world, news)).toMatchObject({ ok: true })
  await settleDueReferrals(world.services)
}

const mailsTo = async (referee: UserRow) =>
  world.db.query<{ data: { to: string; subject: string } }>('select data from job where key = $1', [
    `mail:referral:${referee.id}`,
  ])

test('a link is made once, whoever asks how often', async () => {
  const user = await world.addUser()
  const links = await Promise.all(Array.from({ length: 10 }, async () => (await pageOf(user)).link))
  expect(new Set(links).size).toBe(1)
  expect(links[0]).toMatch(/^http:\/\/localhost:4321\/\?ref=[a-z2-9]{8}$/)
})

test('a code that came with a sign-up counts once, in capitals too; one’s own and one after a payment do not', async () => {
  const { referrer, referee, code } = await twoPeople()
  const other = await pageOf(await world.addUser())
  const sendsOf = (user: UserRow, by: string) =>
    attribute(world.db, { userId: user.id, code: by, at: world.clock.now() })
  await sendsOf(referrer, code)
  await sendsOf(referee, 'nobodyss')
  await sendsOf(referee, code.toUpperCase())
  await sendsOf(referee, other.code)
  const payer = await world.addUser()
  await pay(payer.id, 5, '')
  await sendsOf(payer, code)
  expect((await pageOf(referrer)).joined).toBe(1)
  const joined = await world.db.query(
    'select referee_id, referrer_id from referral where referee_id = any($1::uuid[])',
    [[referrer.id, referee.id, payer.id]],
  )
  expect(joined).toEqual([{ referee_id: referee.id, referrer_id: referrer.id }])
})

test('a checkout that was left unpaid before does not keep the reward, whichever case the code came in', async () => {
  const { referrer, referee, code } = await twoPeople()
  await checkout(referee.id, 10, '')
  await pay(referee.id, 10, code.toUpperCase())
  expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
})

describe('the reward', () => {
  test('comes once, when the first payment large enough is paid, with a mail and in words', async () => {
    const { referrer, referee, code } = await twoPeople()
    await pay(referee.id, 5, code)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0 })
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'joined', earned: 0 }])
    world.notices.length = 0
    const one = await checkout(referee.id, 10, '')
    const card = newCard()
    await Promise.all(Array.from({ length: 20 }, () => deliver(world, one.paid({ card }))))
    await Promise.all(Array.from({ length: 5 }, () => settleDueReferrals(world.services)))
    await pay(referee.id, 50, code)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
    expect(world.notices).toContainEqual({ kind: 'balance', userId: referrer.id, event: { credits: 5 } })
    expect(await mailsTo(referee)).toMatchObject([
      { data: { to: referrer.email, subject: 'You earned $5.00 of credits' } },
    ])
    const { transfers } = await listTransfers(world.db, referrer.id, {}, world.clock.now())
    expect(transfers).toMatchObject([{ words: 'Referral reward', amount: 5, payment: null, call: null }])
    const page = await pageOf(referrer)
    expect(page).toMatchObject({ joined: 1, paid: 1, earned: 5, reward: 5, leastPayment: 10 })
    expect(page.people).toMatchObject([{ email: 'p•••@e•••.com', state: 'paid', earned: 5 }])
  })

  test('is for a first payment: whoever paid before came by no link, and the first link stays', async () => {
    const { referrer, referee, code } = await twoPeople()
    const other = await world.addUser()
    await pay(referee.id, 5, code)
    await pay(referee.id, 10, (await pageOf(other)).code)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
    const old = await world.addUser()
    await pay(old.id, 10, 'nobody-s')
    await pay(old.id, 10, code)
    expect(await pageOf(referrer)).toMatchObject({ joined: 1, earned: 5 })
    expect(await pageOf(other)).toMatchObject({ joined: 0, earned: 0, people: [] })
  })

  test('is nobody’s by their own account, card or device', async () => {
    const { referrer, code } = await twoPeople()
    await pay(referrer.id, 10, code)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 10 })
    const card = newCard()
    await pay(referrer.id, 10, '', card)
    const byCard = await world.addUser()
    await pay(byCard.id, 10, code, card)
    await pay(byCard.id, 10, code)
    const kept = newCard()
    await world.db.query(
      `insert into saved_card (user_id, provider, customer_ref, method_ref, brand, last4, fingerprint, consented_at, saved_at)
       values ($1, 'local', 'cus_kept', 'pm_kept', 'visa', '4242', $2, $3, $3)`,
      [referrer.id, kept.fingerprint, world.clock.now()],
    )
    const byKeptCard = await world.addUser()
    await pay(byKeptCard.id, 10, code, kept)
    const byDevice = await world.addUser()
    for (const { id } of [referrer, byDevice]) {
      await world.db.query(
        `insert into caller_origin (user_id, device, local, seen_at) values ($1, '\\x01', false, $2)`,
        [id, world.clock.now()],
      )
    }
    await pay(byDevice.id, 10, code)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 20 })
    const page = await pageOf(referrer)
    expect(page).toMatchObject({ joined: 3, paid: 0, earned: 0 })
    expect(page.people.map(({ state }) => state)).toEqual(['own', 'own', 'own'])
  })

  test('is nobody’s by a browser that they made a free call from before', async () => {
    const referrer = await world.addUser({ freeCall: 'available' })
    const { code } = await pageOf(referrer)
    const [shared, own] = [world.services.random.uuid(), world.services.random.uuid()]
    await noteOrigin(world.services, referrer.id, { address: '192.0.2.50', device: shared })
    await (await connectCall(world.control, referrer.id, '+12125550142')).end(1000)
    await noteOrigin(world.services, referrer.id, { address: '192.0.2.50', device: own })
    const referee = await world.addUser()
    await noteOrigin(world.services, referee.id, { address: '192.0.2.51', device: shared })
    await pay(referee.id, 10, code)
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'own', earned: 0 }])
  })

  test('is of the first of two payments that were heard of at once, and goes with that one', async () => {
    const { referrer, referee, code } = await twoPeople()
    const [first, second] = [await checkout(referee.id, 10, code), await checkout(referee.id, 50, code)]
    await deliver(world, first.paid({ card: newCard() }))
    world.clock.advance(1)
    await deliver(world, second.paid({ card: newCard() }))
    await settleDueReferrals(world.services)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
    await tell(second.refund(50))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
    await tell(first.refund(10))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0 })
  })

  test('lets a call of the referrer’s that runs last longer', async () => {
    const referrer = await world.addUser({ credit: 0.05 })
    const { code } = await pageOf(referrer)
    const call = await connectCall(world.control, referrer.id, '+12125550142')
    await pay((await world.addUser()).id, 10, code)
    expect(world.network.limits).toContainEqual({ callId: call.callId, limitMs: 60 * 60_000 })
    await call.end(1000)
  })

  test('of two who refer each other comes to both, also at once', async () => {
    const { referrer, referee, code } = await twoPeople()
    const back = (await pageOf(referee)).code
    const [one, other] = [await checkout(referee.id, 10, code), await checkout(referrer.id, 10, back)]
    const answers = await Promise.all([
      deliver(world, one.paid({ card: newCard() })),
      deliver(world, other.paid({ card: newCard() })),
    ])
    expect(answers).toMatchObject([{ ok: true }, { ok: true }])
    await Promise.all([settleDueReferrals(world.services), settleDueReferrals(world.services)])
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 15 })
    expect(await standing(world, referee.id)).toMatchObject({ balance: 15 })
  })
})

describe('a reward that was given', () => {
  test('is taken back with a refund, and given again when that fails', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 25, code)
    await tell(one.refund(15, 'succeeded', `re_1_${one.id}`))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
    await tell(one.refund(10, 'pending', `re_2_${one.id}`))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0 })
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'returned', earned: 0 }])
    expect(await mailsTo(referee)).toHaveLength(1)
    // It was sent: whoever queued it again would send it again.
    await world.db.query('delete from job where key = $1', [`mail:referral:${referee.id}`])
    await tell(one.refund(10, 'failed', `re_2_${one.id}`))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
    const { transfers } = await listTransfers(world.db, referrer.id, {}, world.clock.now())
    expect(transfers.map(({ words }) => words)).toEqual([
      'Referral reward given again',
      'Referral reward taken back',
      'Referral reward',
    ])
    expect(await mailsTo(referee)).toEqual([])
  })

  test('follows a refund that is asked for, before the provider has answered and when it refuses', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 10, code)
    world.provider.away = 'before'
    expect(await requestRefund(world.services, referee.id, one.id, 10)).toMatchObject({ ok: true })
    await settleDueReferrals(world.services)
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0 })
    world.provider.away = 'no'
    world.provider.refunding = 'refused'
    world.clock.advance(refundPatienceMs)
    expect(await repeatRefunds(world.services)).toBe(1)
    world.provider.refunding = 'succeeded'
    await settleDueReferrals(world.services)
    expect(await standing(world, referee.id)).toMatchObject({ balance: 10 })
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 5 })
  })

  test('that was spent is lost to a dispute as far as it was, and what is won fills the loss first', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 10, code)
    await spend(world, referrer, 3)
    await tell(one.dispute(10))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0, canCall: true })
    const [row] = await world.db.query('select given, lost from referral where referee_id = $1', [referee.id])
    expect(row).toEqual({ given: 0, lost: 3_000_000 })
    await tell(one.dispute(10, 'won'))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 2 })
    await tell(one.refund(10))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0 })
  })

  test('of a payment whose refund was heard of first never comes', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await checkout(referee.id, 10, code)
    await tell(one.refund(10))
    await tell(one.paid({ card: newCard() }))
    expect(await standing(world, referrer.id)).toMatchObject({ balance: 0 })
    expect(await mailsTo(referee)).toEqual([])
  })
})
