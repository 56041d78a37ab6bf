import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { attribute } from '#server/referrals/referrals.ts'
import { rewardReferral } from '#server/referrals/reward.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld, type World } from '#support/world.ts'
import { accountState, deliver, orderByLink, passRefundWindow, runRewards, spend, visa } from './buyer.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await passRefundWindow(world)
  expect(await findBreaches(world.db)).toEqual([])
})
afterAll(async () => {
  await world.close()
})

const dayMs = 24 * 3600_000

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

async function pay(userId: string, usd: number, code: string, card = newCard()) {
  const one = await orderByLink(world, userId, usd, code)
  await deliverUpdate(one.paid({ card }))
  return one
}

async function deliverUpdate(update: Parameters<typeof deliver>[1]) {
  expect(await deliver(world, update)).toMatchObject({ ok: true })
  await runRewards(world)
}

const balanceOf = async (user: UserRow) => (await accountState(world, user.id)).balance
const statesOf = async (user: UserRow) => (await pageOf(user)).people.map(({ state }) => state)
const setEmail = (user: UserRow, email: string) =>
  world.db.query('update app_user set email = $2 where id = $1', [user.id, email])
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
  await orderByLink(world, referee.id, 10, '')
  await pay(referee.id, 10, code.toUpperCase())
  await passRefundWindow(world)
  expect(await balanceOf(referrer)).toBe(5)
})

describe('the reward', () => {
  test('comes once, when the refund window of the payment has passed, with a mail and on the page', async () => {
    const { referrer, referee, code } = await twoPeople()
    await pay(referee.id, 5, code)
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'joined', dueAt: null, earned: 0 }])
    const one = await orderByLink(world, referee.id, 10, '')
    const card = newCard()
    const paidAt = world.clock.now().getTime()
    await Promise.all(Array.from({ length: 20 }, () => deliver(world, one.paid({ card }))))
    await pay(referee.id, 50, code)
    const dueAt = new Date(paidAt + 7 * dayMs).toISOString()
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'pending', dueAt, earned: 0 }])
    world.clock.advance(7 * dayMs)
    expect(await runRewards(world)).toBe(0)
    expect(await balanceOf(referrer)).toBe(0)
    world.clock.advance(1)
    world.notices.length = 0
    expect(await runRewards(world)).toBe(3)
    await Promise.all(Array.from({ length: 5 }, () => rewardReferral(world.services, one.id)))
    expect(await balanceOf(referrer)).toBe(5)
    expect(world.notices).toContainEqual({ kind: 'balance', userId: referrer.id, event: { credits: 5 } })
    expect(await mailsTo(referee)).toMatchObject([
      { data: { to: referrer.email, subject: 'You earned $5.00 of credits' } },
    ])
    const { transfers } = await listTransfers(world.db, referrer.id, {}, world.clock.now())
    expect(transfers).toMatchObject([{ words: 'Referral reward', amount: 5, payment: null, call: null }])
    const page = await pageOf(referrer)
    expect(page).toMatchObject({
      joined: 1,
      paid: 1,
      earned: 5,
      reward: 5,
      leastPayment: 10,
      monthlyMost: 50,
    })
    expect(page.people).toMatchObject([{ email: 'p•••@e•••.com', state: 'paid', dueAt: null, earned: 5 }])
  })

  test('is given by the worker, from the job that the payment’s own transaction wrote', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 10, code)
    world.clock.advance(7 * dayMs + 1)
    const failures: unknown[] = []
    await runDueJobs(
      {
        db: world.db,
        clock: world.clock,
        mailer: { send: async () => undefined },
        rewardReferral: paymentId => rewardReferral(world.services, paymentId),
        onFailure: (_job, error) => failures.push(error),
      },
      1000,
    )
    expect(failures).toEqual([])
    expect(await balanceOf(referrer)).toBe(5)
    const left = await world.db.query('select 1 from job where key = $1', [`referral_reward:${one.id}`])
    expect(left).toEqual([])
  })

  test('is for a first payment: whoever paid before came by no link, and the first link stays', async () => {
    const { referrer, referee, code } = await twoPeople()
    const other = await world.addUser()
    await pay(referee.id, 5, code)
    await pay(referee.id, 10, (await pageOf(other)).code)
    const old = await world.addUser()
    await pay(old.id, 10, 'nobody-s')
    await pay(old.id, 10, code)
    await passRefundWindow(world)
    expect(await pageOf(referrer)).toMatchObject({ joined: 1, earned: 5 })
    expect(await pageOf(other)).toMatchObject({ joined: 0, earned: 0, people: [] })
  })

  test("is denied for one's own account, card, device or mailbox", async () => {
    const { referrer, code } = await twoPeople()
    await pay(referrer.id, 10, code)
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
    await setEmail(referrer, 'sly.fox@gmail.com')
    const byMailbox = await world.addUser()
    await setEmail(byMailbox, 'SlyFox+two@googlemail.com'.toLowerCase())
    await pay(byMailbox.id, 10, code)
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(20)
    expect(await pageOf(referrer)).toMatchObject({ joined: 4, paid: 0, earned: 0 })
    expect(await statesOf(referrer)).toEqual(['own', 'own', 'own', 'own'])
  })

  test("is denied to a browser that made a free call from the referrer's account before", async () => {
    const referrer = await world.addUser({ freeCall: 'available' })
    const { code } = await pageOf(referrer)
    const [shared, own] = [world.services.random.uuid(), world.services.random.uuid()]
    await noteOrigin(world.services, referrer.id, { address: '192.0.2.50', device: shared })
    await (await connectCall(world.control, referrer.id, '+12125550142')).end(1000)
    await noteOrigin(world.services, referrer.id, { address: '192.0.2.50', device: own })
    const referee = await world.addUser()
    await noteOrigin(world.services, referee.id, { address: '192.0.2.51', device: shared })
    await pay(referee.id, 10, code)
    await passRefundWindow(world)
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'own', earned: 0 }])
  })

  test('lets a call of the referrer’s that runs last longer', async () => {
    const referrer = await world.addUser({ credit: 0.05 })
    const { code } = await pageOf(referrer)
    await pay((await world.addUser()).id, 10, code)
    world.clock.advance(7 * dayMs + 1)
    const call = await connectCall(world.control, referrer.id, '+12125550142')
    await runRewards(world)
    expect(world.network.limits).toContainEqual({ callId: call.callId, limitMs: 60 * 60_000 })
    await call.end(1000)
  })

  test('of two who refer each other comes to both, also at once', async () => {
    const { referrer, referee, code } = await twoPeople()
    const back = (await pageOf(referee)).code
    const [one, other] = [
      await orderByLink(world, referee.id, 10, code),
      await orderByLink(world, referrer.id, 10, back),
    ]
    const answers = await Promise.all([
      deliver(world, one.paid({ card: newCard() })),
      deliver(world, other.paid({ card: newCard() })),
    ])
    expect(answers).toMatchObject([{ ok: true }, { ok: true }])
    world.clock.advance(7 * dayMs + 1)
    await Promise.all([one, other, one, other].map(({ id }) => rewardReferral(world.services, id)))
    expect(await balanceOf(referrer)).toBe(15)
    expect(await balanceOf(referee)).toBe(15)
  })

  test('is bounded: forty friends who pay with one card and get a refund earn nothing, and one who keeps it earns once', async () => {
    const { referrer, code } = await twoPeople()
    await pay(referrer.id, 5, '')
    const card = newCard()
    const friends: UserRow[] = []
    for (let n = 0; n < 40; n += 1) {
      const friend = await world.addUser()
      friends.push(friend)
      const one = await pay(friend.id, 10, code, card)
      world.clock.advance(1)
      // Two of them keep what they bought; the others lose it, those beyond the third from what is held for review.
      if (n > 1)
        expect(await requestRefund(world.services, friend.id, one.id, 10)).toMatchObject({ ok: true })
    }
    expect(await balanceOf(referrer)).toBe(5)
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(10)
    const states = await statesOf(referrer)
    expect(states.filter(state => state === 'returned')).toHaveLength(38)
    expect(states.filter(state => state === 'paid')).toHaveLength(1)
    expect(states.filter(state => state === 'repeated')).toHaveLength(1)
  })

  test('is given once for a mailbox, however its address is written', async () => {
    const { referrer, code } = await twoPeople()
    for (const email of [
      'ann.o@gmail.com',
      'anno+1@gmail.com',
      'a.n.n.o+2@googlemail.com',
      'anno@example.net',
    ]) {
      const friend = await world.addUser()
      await setEmail(friend, email)
      await pay(friend.id, 10, code)
      world.clock.advance(1)
    }
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(10)
    expect((await statesOf(referrer)).sort()).toEqual(['paid', 'paid', 'repeated', 'repeated'])
  })

  test('is given once for a card that two referrers’ friends paid with, decided at the same moment', async () => {
    const [one, other] = [await twoPeople(), await twoPeople()]
    const card = newCard()
    const payments = [
      await pay(one.referee.id, 10, one.code, card),
      await pay(other.referee.id, 10, other.code, card),
    ]
    world.clock.advance(7 * dayMs + 1)
    const decide = () => Promise.allSettled(payments.map(({ id }) => rewardReferral(world.services, id)))
    // The database rejects the second one, which is decided when its job is retried.
    await decide()
    await decide()
    expect((await balanceOf(one.referrer)) + (await balanceOf(other.referrer))).toBe(5)
    expect([...(await statesOf(one.referrer)), ...(await statesOf(other.referrer))].sort()).toEqual([
      'paid',
      'repeated',
    ])
  })

  test('comes to $50 in a month at most, and again in the next', async () => {
    const { referrer, code } = await twoPeople()
    // To the first day of a month, so that the windows of all pass within it.
    const { clock } = world
    const now = clock.now()
    clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime())
    for (let n = 0; n < 12; n += 1) await pay((await world.addUser()).id, 10, code)
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(50)
    expect((await statesOf(referrer)).filter(state => state === 'over_cap')).toHaveLength(2)
    clock.advance(25 * dayMs)
    await pay((await world.addUser()).id, 10, code)
    await passRefundWindow(world)
    expect(await pageOf(referrer)).toMatchObject({ paid: 11, earned: 55 })
  })

  test('is denied if the account that paid is deleted by then', async () => {
    const { referrer, referee, code } = await twoPeople()
    await pay(referee.id, 10, code)
    await world.db.query('update app_user set deleted_at = $2 where id = $1', [referee.id, world.clock.now()])
    expect(await statesOf(referrer)).toEqual(['gone'])
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    expect(await statesOf(referrer)).toEqual(['gone'])
  })
})

describe('a payment that was clawed back when its window has passed earns nothing', () => {
  test('refunded to less than what counts; a later one that stands earns in its place', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 25, code)
    await deliverUpdate(one.refund(15, 'succeeded', `re_1_${one.id}`))
    expect(await statesOf(referrer)).toEqual(['pending'])
    await deliverUpdate(one.refund(1, 'succeeded', `re_2_${one.id}`))
    expect(await statesOf(referrer)).toEqual(['returned'])
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    await pay(referee.id, 10, code)
    expect(await statesOf(referrer)).toEqual(['pending'])
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(5)
  })

  test('disputed; won later, it earns at once', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 10, code)
    await deliverUpdate(one.dispute(1))
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    expect(await statesOf(referrer)).toEqual(['returned'])
    await deliverUpdate(one.dispute(1, 'won'))
    expect(await balanceOf(referrer)).toBe(5)
  })

  test('whose refund fails, it earns after all', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 10, code)
    await deliverUpdate(one.refund(10, 'pending'))
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    await deliverUpdate(one.refund(10, 'failed'))
    expect(await balanceOf(referrer)).toBe(5)
  })

  test('waiting for a review; released later, it earns at once', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 600, code)
    expect((await pageOf(referrer)).people).toMatchObject([{ state: 'in_review', dueAt: null }])
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    const released = await releasePayment(world.services, one.id, { actor: 'test', reason: 'a test' })
    expect(released).toMatchObject({ ok: true })
    await runRewards(world)
    expect(await balanceOf(referrer)).toBe(5)
  })

  test('reported as fraud', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await pay(referee.id, 10, code)
    await deliverUpdate(one.reported())
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    expect(await statesOf(referrer)).toEqual(['returned'])
  })

  test('refunded before it was reported', async () => {
    const { referrer, referee, code } = await twoPeople()
    const one = await orderByLink(world, referee.id, 10, code)
    await deliverUpdate(one.refund(10))
    await deliverUpdate(one.paid({ card: newCard() }))
    await passRefundWindow(world)
    expect(await balanceOf(referrer)).toBe(0)
    expect(await mailsTo(referee)).toEqual([])
  })
})

test('a reward that was given stays given: a dispute after that is a loss of the house, not of the referrer', async () => {
  const { referrer, referee, code } = await twoPeople()
  const one = await pay(referee.id, 10, code)
  await passRefundWindow(world)
  await spend(world, referrer, 3)
  await deliverUpdate(one.dispute(10))
  expect(await accountState(world, referrer.id)).toMatchObject({ balance: 2, canCall: true })
  await deliverUpdate(one.dispute(10, 'won'))
  await deliverUpdate(one.refund(10))
  expect(await balanceOf(referrer)).toBe(2)
  expect(await statesOf(referrer)).toEqual(['paid'])
})

test('what was given and taken back under older rules stays as it was, and is decided', async () => {
  const { referrer, referee, code } = await twoPeople()
  const one = await pay(referee.id, 10, code)
  const transfer = (key: string, back: boolean) =>
    world.db.query(
      `insert into transfer (key, debit_account, credit_account, amount, created_at)
       select $1, case when $2 then $3 else id end, case when $2 then id else $3 end, 5000000, $4
       from account where kind = 'promotions'`,
      [key, back, referrer.account_id, world.clock.now()],
    )
  await transfer(`referral:${referee.id}`, false)
  await transfer(`referral:${referee.id}:back:1`, true)
  await world.db.query(
    `update referral set payment_id = $2, reward = 5000000, least = 10000000, changes = 2 where referee_id = $1`,
    [referee.id, one.id],
  )
  await passRefundWindow(world)
  expect(await balanceOf(referrer)).toBe(0)
  expect(await statesOf(referrer)).toEqual(['returned'])
})
