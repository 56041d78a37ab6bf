import { afterEach, describe, expect, test } from 'vitest'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { openLanguages } from '#server/languages/languages.ts'
import { runAutoTopUps } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { Failpoint, failAt } from '#support/failpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountsOf, deliver, order, spend } from './buyer.ts'
import {
  addCustomer,
  american,
  callOnce,
  chargesOf,
  endTopUps,
  knowPaid,
  mailsTo,
  runAll,
  topUpPaid,
  topUpsOf,
  userOf,
} from './top-up-customer.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const world = keepForFile(await createWorld())
knowPaid(world)
afterEach(() => endTopUps(world))

describe('a balance at the low-credit mark', () => {
  test('in a call charges the saved card what was last bought, and the call may last longer', async () => {
    const user = await addCustomer(world, { usd: 50, left: 2.01 })
    const call = await connectCall(world.control, user.id, '+12125550100')
    await chargeDueMinutes(world.services)
    await runAll(world.services)
    const [topUp] = await topUpsOf(world, user.id)
    expect(topUp).toMatchObject({ state: 'paid', amount_micro_usd: 50_000_000, bonus: 2_000_000 })
    expect(chargesOf(world, user.id)).toMatchObject([
      { paymentId: topUp?.id, methodRef: expect.stringMatching(/^pm_/), amountMicroUsd: 50_000_000 },
    ])
    expect((await userOf(world, user.id)).balance).toBe(53_990_000)
    await call.end(1000)
    const [mail] = (await mailsTo(world, user.email)).slice(-1)
    expect(mail?.subject).toBe('Auto top-up: your receipt, $50.00')
    expect(mail?.text).toContain('so we charged your saved card $50.00, as you asked.')
  })

  test('is described to the bank in the language of the account when it was written down', async () => {
    openLanguages()
    const user = await addCustomer(world, { usd: 50 })
    const speaks = (language: string) =>
      world.db.query('update app_user set language = $2 where id = $1', [user.id, language])
    await speaks('es')
    world.provider.away = 'before'
    await callOnce(world, user.id)
    await runAutoTopUps(world.services)
    await speaks('fr')
    world.provider.away = 'no'
    world.clock.advance(hourMs / 2)
    await runAll(world.services)
    expect(chargesOf(world, user.id)).toMatchObject([
      { description: '52 US$ de saldo de Farline, recarga automática' },
    ])
  })

  test('extends a running call that would have ended', async () => {
    const user = await addCustomer(world, { left: 0.05 })
    const call = await connectCall(world.control, user.id, american)
    expect(call.limitMs).toBe(2 * minuteMs)
    await chargeDueMinutes(world.services)
    await runAll(world.services)
    expect(world.network.limits).toEqual([{ callId: call.callId, limitMs: 60 * minuteMs }])
    for (let minute = 0; minute < 3; minute += 1) {
      world.clock.advance(minuteMs + 1)
      await chargeDueMinutes(world.services)
    }
    await recordHeartbeats(world.services, [call.callId])
    expect(world.network.hungUp).toEqual([])
    await call.end(3 * minuteMs + 3)
    expect((await userOf(world, user.id)).balance).toBe(10_050_000 - 4 * 20_000)
  })

  test('is noticed at settlement too, when the meter had not come to it', async () => {
    const user = await addCustomer(world, { left: 2.03 })
    const call = await connectCall(world.control, user.id, american)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toEqual([])
    await call.end(minuteMs + 1)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'paid' }])
  })

  test.each(['meter', 'settlement'])('is one at exactly $2.00, for the %s', async by => {
    // The first minute is charged at answer; the second one here by a settlement that the meter did not come before.
    const user = await addCustomer(world, { left: by === 'meter' ? 2.02 : 2.04 })
    const call = await connectCall(world.control, user.id, american)
    if (by === 'settlement') await call.end(minuteMs + 1)
    expect((await userOf(world, user.id)).balance).toBe(2_000_000)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'paid' }])
    await call.end(1000)
  })

  test.each([
    ['above the mark', { left: 2.03 }, undefined],
    ['with auto top-up off', {}, 'update app_user set auto_topup_enabled = false where id = $1'],
    ['of who may not call', {}, 'update app_user set can_call = false where id = $1'],
    ['without a card', {}, 'update app_user set has_saved_payment_method = false where id = $1'],
  ])('charges nothing: %s', async (_, options, change) => {
    const user = await addCustomer(world, options)
    const call = await connectCall(world.control, user.id, american)
    if (change !== undefined) await world.db.query(change, [user.id])
    await chargeDueMinutes(world.services)
    await call.end(1000)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toEqual([])
  })

  test('charges nothing of which all would wait for a review; a part of it may', async () => {
    const user = await addCustomer(world, { usd: 500 })
    await callOnce(world, user.id)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toEqual([])
    const mail = (await mailsTo(world, user.email)).at(-1)
    expect(mail?.subject).toBe('Auto top-up has reached its limit for now')
    expect(mail?.text).toContain(
      "This whole top-up would have needed a review, so we didn't charge your card.",
    )
    world.clock.advance(24 * hourMs)
    await deliver(world, (await order(world, user.id, 499)).paid())
    const { balance } = await userOf(world, user.id)
    await spend(world, user, balance / 1_000_000 - 2)
    await callOnce(world, user.id)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'paid', held: 498_000_000 }])
    expect((await userOf(world, user.id)).balance).toBe(2_980_000)
  })

  test('that a refund left charges nothing', async () => {
    const user = await world.addUser()
    const bought = await order(world, user.id, 10, true)
    await deliver(world, bought.paid())
    await deliver(world, bought.refund(10))
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toEqual([])
  })
})

/** REL-32. */
test('twenty requests and workers at once make one charge, whose answer and events make one posting', async () => {
  const user = await addCustomer(world)
  const call = await connectCall(world.control, user.id, american)
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await world.db.query(
        'insert into auto_topup_wish (account_id, wished_at) values ($1, $2) on conflict do nothing',
        [user.account_id, world.clock.now()],
      )
      await chargeDueMinutes(world.services)
      await runAll(world.services)
    }),
  )
  const [topUp, ...more] = await topUpsOf(world, user.id)
  if (topUp === undefined) throw new Error('nothing was charged')
  expect(more).toEqual([])
  expect(chargesOf(world, user.id)).toHaveLength(1)
  await Promise.all(Array.from({ length: 10 }, () => deliver(world, topUpPaid(topUp))))
  expect(await accountsOf(world, topUp.id)).toEqual({ customer: 10, payments: -10 })
  await call.end(1000)
})

test('the database rejects a second charge in flight', async () => {
  const user = await addCustomer(world)
  const insert = `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at,
    created_at) values (gen_random_uuid(), $1, 'auto_topup', 'open', 'local', 10000000, 0, false, now(), now())`
  await world.db.query(insert, [user.id])
  await expect(world.db.query(insert, [user.id])).rejects.toThrow('payment_auto_topup_in_flight')
})

test('a process that dies at any statement leaves a charge that is made once', async () => {
  const { id } = await addCustomer(world)
  let made = 0
  /** Below the threshold again, the next day, with a setting and then this many statements. */
  const runLow = async (statements: number) => {
    world.clock.advance(24 * hourMs)
    const user = await userOf(world, id)
    if (user.balance > 2_000_000) await spend(world, user, user.balance / 1_000_000 - 2)
    await callOnce(world, id)
    made += 1
    world.provider.charges.length = 0
    return failAt(world.db, statements, 'after')
  }
  const whole = await runLow(Number.POSITIVE_INFINITY)
  await runAll({ ...world.services, db: whole.db })
  const count = whole.count()
  expect(count).toBeGreaterThan(15)
  // After the last statement before a commit nothing of that transaction stands, after the commit all of it.
  for (let at = 1; at <= count; at += 1) {
    const { db } = await runLow(at)
    await runAll({ ...world.services, db }).catch(error => expect(error).toBeInstanceOf(Failpoint))
    world.clock.advance(minuteMs)
    await runAll(world.services)
    const topUps = await topUpsOf(world, id)
    expect(
      topUps.map(({ state }) => state),
      `after ${at}`,
    ).toEqual(Array(made).fill('paid'))
    expect((await userOf(world, id)).balance).toBe(11_980_000)
    expect(new Set(chargesOf(world, id).map(charge => JSON.stringify(charge))).size).toBe(1)
  }
})
