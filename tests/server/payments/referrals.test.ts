import { afterEach, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { inLanguage, openLanguages } from '#server/languages/languages.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { attribute } from '#server/referrals/referrals.ts'
import { rewardReferral } from '#server/referrals/reward.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { deliver, orderByLink, passRefundWindow, runRewards } from './buyer.ts'
import { balanceOf, mailsTo, newCard, pageOf, pay, statesOf, twoPeople } from './referral-people.ts'

const world = keepForFile(await createWorld())
afterEach(() => passRefundWindow(world))
const dayMs = 24 * 3600_000

test('a link is made once, whoever asks how often', async () => {
  const user = await world.addUser()
  const links = await Promise.all(Array.from({ length: 10 }, async () => (await pageOf(world, user)).link))
  expect(new Set(links).size).toBe(1)
  expect(links[0]).toMatch(/^http:\/\/localhost:4321\/\?ref=[a-z2-9]{8}$/)
  openLanguages()
  const { link } = await inLanguage('es', () => pageOf(world, user))
  expect(link).toBe(links[0]?.replace('/?', '/es?'))
})

test('a code that came with a sign-up counts once, in capitals too; one’s own and one after a payment do not', async () => {
  const { referrer, referee, code } = await twoPeople(world)
  const other = await pageOf(world, await world.addUser())
  const sendsOf = (user: UserRow, by: string) =>
    attribute(world.db, { userId: user.id, code: by, at: world.clock.now() })
  await sendsOf(referrer, code)
  await sendsOf(referee, 'nobodyss')
  await sendsOf(referee, code.toUpperCase())
  await sendsOf(referee, other.code)
  const payer = await world.addUser()
  await pay(world, payer.id, 5, '')
  await sendsOf(payer, code)
  expect((await pageOf(world, referrer)).joined).toBe(1)
  const joined = await world.db.query(
    'select referee_id, referrer_id from referral where referee_id = any($1::uuid[])',
    [[referrer.id, referee.id, payer.id]],
  )
  expect(joined).toEqual([{ referee_id: referee.id, referrer_id: referrer.id }])
})

test('a checkout that was left unpaid before does not keep the reward, whichever case the code came in', async () => {
  const { referrer, referee, code } = await twoPeople(world)
  await orderByLink(world, referee.id, 10, '')
  await pay(world, referee.id, 10, code.toUpperCase())
  await passRefundWindow(world)
  expect(await balanceOf(world, referrer)).toBe(5)
})

describe('the reward', () => {
  test('comes once, when the refund window of the payment has passed, with a mail and on the page', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    await pay(world, referee.id, 5, code)
    expect((await pageOf(world, referrer)).people).toMatchObject([
      { state: 'joined', dueAt: null, earned: 0 },
    ])
    const one = await orderByLink(world, referee.id, 10, '')
    const card = newCard()
    const paidAt = world.clock.now().getTime()
    await Promise.all(Array.from({ length: 20 }, () => deliver(world, one.paid({ card }))))
    await pay(world, referee.id, 50, code)
    const dueAt = new Date(paidAt + 7 * dayMs).toISOString()
    expect((await pageOf(world, referrer)).people).toMatchObject([{ state: 'pending', dueAt, earned: 0 }])
    world.clock.advance(7 * dayMs)
    expect(await runRewards(world)).toBe(0)
    expect(await balanceOf(world, referrer)).toBe(0)
    world.clock.advance(1)
    world.notices.length = 0
    expect(await runRewards(world)).toBe(3)
    await Promise.all(Array.from({ length: 5 }, () => rewardReferral(world.services, one.id)))
    expect(await balanceOf(world, referrer)).toBe(5)
    expect(world.notices).toContainEqual({ kind: 'balance', userId: referrer.id, event: { credits: 5 } })
    expect(await mailsTo(world, referee)).toMatchObject([
      { data: { to: referrer.email, subject: 'You earned $5.00 of credits' } },
    ])
    const { transfers } = await listTransfers(world.db, referrer.id, {}, world.clock.now())
    expect(transfers).toMatchObject([
      { description: 'Referral reward', amount: 5, payment: null, call: null },
    ])
    const page = await pageOf(world, referrer)
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
    const { referrer, referee, code } = await twoPeople(world)
    const one = await pay(world, referee.id, 10, code)
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
    expect(await balanceOf(world, referrer)).toBe(5)
    const left = await world.db.query('select 1 from job where key = $1', [`referral_reward:${one.id}`])
    expect(left).toEqual([])
  })

  test('is for a first payment: whoever paid before came by no link, and the first link stays', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const other = await world.addUser()
    await pay(world, referee.id, 5, code)
    await pay(world, referee.id, 10, (await pageOf(world, other)).code)
    const old = await world.addUser()
    await pay(world, old.id, 10, 'nobody-s')
    await pay(world, old.id, 10, code)
    await passRefundWindow(world)
    expect(await pageOf(world, referrer)).toMatchObject({ joined: 1, earned: 5 })
    expect(await pageOf(world, other)).toMatchObject({ joined: 0, earned: 0, people: [] })
  })

  test('lets a call of the referrer’s that runs last longer', async () => {
    const referrer = await world.addUser({ credit: 0.05 })
    const { code } = await pageOf(world, referrer)
    await pay(world, (await world.addUser()).id, 10, code)
    world.clock.advance(7 * dayMs + 1)
    const call = await connectCall(world.control, referrer.id, '+12125550142')
    await runRewards(world)
    expect(world.network.limits).toContainEqual({ callId: call.callId, limitMs: 60 * 60_000 })
    await call.end(1000)
  })

  test('of two who refer each other comes to both, also at once', async () => {
    const { referrer, referee, code } = await twoPeople(world)
    const back = (await pageOf(world, referee)).code
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
    expect(await balanceOf(world, referrer)).toBe(15)
    expect(await balanceOf(world, referee)).toBe(15)
  })
})

test('what was given and taken back under older rules stays as it was, and is decided', async () => {
  const { referrer, referee, code } = await twoPeople(world)
  const one = await pay(world, referee.id, 10, code)
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
  expect(await balanceOf(world, referrer)).toBe(0)
  expect(await statesOf(world, referrer)).toEqual(['returned'])
})
