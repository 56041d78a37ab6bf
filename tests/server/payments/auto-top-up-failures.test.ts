import { afterEach, describe, expect, test } from 'vitest'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { presentUser } from '#server/identity/users.ts'
import { topUpTimeoutMs } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { setAutoTopUp } from '#server/payments/auto-top-up/auto-top-up-toggle.ts'
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

describe('a provider that is not reached', () => {
  test.each(['before', 'after'] as const)('%s it charged is asked again with the same order', async away => {
    const user = await addCustomer(world)
    world.provider.away = away
    await callOnce(world, user.id)
    await runAll(world.services)
    world.clock.advance(2000)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'open' }])
    world.provider.away = 'no'
    world.clock.advance(3999)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'open' }])
    world.clock.advance(1)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'paid' }])
    expect(new Set(chargesOf(world, user.id).map(charge => JSON.stringify(charge))).size).toBe(1)
  })

  test.each(['the hour is over', 'the switch is off'])(
    'is asked for the outcome before a charge is given up: %s',
    async why => {
      const user = await addCustomer(world)
      world.provider.away = 'after'
      await callOnce(world, user.id)
      await runAll(world.services)
      if (why === 'the switch is off') await setAutoTopUp(world.services, user.id, false)
      const pause = why === 'the switch is off' ? minuteMs : topUpTimeoutMs
      world.clock.advance(pause)
      await runAll(world.services)
      // Nobody knows the outcome yet, so nothing is said and nothing else is charged.
      expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'open' }])
      expect((await mailsTo(world, user.email)).at(-1)?.subject).not.toBe("Auto top-up didn't work")
      world.provider.away = 'no'
      world.clock.advance(5 * minuteMs)
      await runAll(world.services)
      const [topUp] = await topUpsOf(world, user.id)
      expect(topUp).toMatchObject({ state: 'paid' })
      expect(await accountsOf(world, topUp?.id ?? '')).toEqual({ customer: 10, payments: -10 })
      expect(chargesOf(world, user.id)).toHaveLength(1)
    },
  )

  test('is given up after an hour, by a mail; what it charged after all counts', async () => {
    const user = await addCustomer(world)
    world.provider.away = 'before'
    await callOnce(world, user.id)
    await runAll(world.services)
    world.clock.advance(topUpTimeoutMs)
    world.provider.away = 'no'
    await runAll(world.services)
    const [topUp] = await topUpsOf(world, user.id)
    if (topUp === undefined) throw new Error('nothing was charged')
    expect(topUp.state).toBe('expired')
    expect((await mailsTo(world, user.email)).at(-1)?.subject).toBe("Auto top-up didn't work")
    await deliver(world, topUpPaid(topUp))
    expect(await accountsOf(world, topUp.id)).toEqual({ customer: 10, payments: -10 })
    expect(await userOf(world, user.id)).toMatchObject({ auto_topup_enabled: true, auto_topup_failures: 0 })
  })

  test('is no longer asked once the switch is off', async () => {
    const user = await addCustomer(world)
    world.provider.away = 'before'
    await callOnce(world, user.id)
    await runAll(world.services)
    await setAutoTopUp(world.services, user.id, false)
    world.provider.away = 'no'
    world.clock.advance(minuteMs)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'expired' }])
    expect(chargesOf(world, user.id)).toEqual([])
    expect((await mailsTo(world, user.email)).map(({ subject }) => subject)).not.toContain(
      "Auto top-up didn't work",
    )
  })
})

describe('a rejected card', () => {
  test.each([
    ['declined', 'Your bank declined it.', 'your card was declined again'],
    [
      'authentication_required',
      'Your bank will ask you to approve it there.',
      'your bank wants you to approve',
    ],
  ] as const)(
    '(%s) is tried once more, an hour later; the second time pauses it',
    async (rejection, why, paused) => {
      const user = await addCustomer(world)
      world.provider.keptCard = rejection
      await callOnce(world, user.id)
      await runAll(world.services)
      const [failed] = await topUpsOf(world, user.id)
      expect(failed).toMatchObject({ state: 'failed', failure: rejection })
      // Its event says the same, and counts no second time.
      await deliver(world, {
        kind: 'charge_failed',
        paymentId: failed?.id ?? '',
        intentRef: `pi_${failed?.id}`,
        rejection,
      })
      expect(await userOf(world, user.id)).toMatchObject({ auto_topup_enabled: true, auto_topup_failures: 1 })
      expect((await mailsTo(world, user.email)).at(-1)?.text).toContain(why)
      expect(world.notices.filter(({ userId }) => userId === user.id).at(-1)).toMatchObject({
        kind: 'balance',
        event: { credits: 1.98, notice: expect.stringContaining('Buy credits') },
      })

      await callOnce(world, user.id)
      await runAll(world.services)
      expect(await topUpsOf(world, user.id)).toHaveLength(1)
      world.clock.advance(hourMs)
      await callOnce(world, user.id)
      await runAll(world.services)
      const off = await userOf(world, user.id)
      expect(off).toMatchObject({ auto_topup_enabled: false, auto_topup_failures: 2 })
      expect(presentUser(off).auto_topup_trouble).toContain(paused)
      expect((await mailsTo(world, user.email)).at(-1)?.subject).toBe('Auto top-up is paused')
      world.clock.advance(hourMs)
      await callOnce(world, user.id)
      await runAll(world.services)
      expect(await topUpsOf(world, user.id)).toHaveLength(2)
    },
  )

  test('switched on again it is tried again at once', async () => {
    const user = await addCustomer(world)
    world.provider.keptCard = 'declined'
    await callOnce(world, user.id)
    await runAll(world.services)
    await setAutoTopUp(world.services, user.id, true)
    expect(await userOf(world, user.id)).toMatchObject({ auto_topup_failures: 0, auto_topup_trouble: null })
    world.provider.keptCard = null
    await callOnce(world, user.id)
    await runAll(world.services)
    const states = new Set((await topUpsOf(world, user.id)).map(({ state }) => state))
    expect(states).toEqual(new Set(['failed', 'paid']))
  })

  test('stays off for a user who switched it off before their last payment was reported', async () => {
    const user = await addCustomer(world)
    const late = await order(world, user.id, 10, true)
    await setAutoTopUp(world.services, user.id, false)
    await deliver(world, late.paid())
    expect(await userOf(world, user.id)).toMatchObject({
      auto_topup_enabled: false,
      has_saved_payment_method: true,
      balance: 12_000_000,
    })
    await deliver(world, (await order(world, user.id, 10, true)).paid())
    expect(await userOf(world, user.id)).toMatchObject({ auto_topup_enabled: true })
  })

  test('no longer counts once something was bought', async () => {
    const user = await addCustomer(world)
    world.provider.keptCard = 'declined'
    await callOnce(world, user.id)
    await runAll(world.services)
    await deliver(world, (await order(world, user.id, 10)).paid())
    expect(await userOf(world, user.id)).toMatchObject({ auto_topup_failures: 0, auto_topup_trouble: null })
  })

  test('for good ends it at once', async () => {
    const user = await addCustomer(world)
    world.provider.keptCard = 'card_gone'
    await callOnce(world, user.id)
    await runAll(world.services)
    expect(await userOf(world, user.id)).toMatchObject({
      auto_topup_enabled: false,
      has_saved_payment_method: false,
    })
    expect((await mailsTo(world, user.email)).at(-1)?.subject).toBe('Auto top-up is off')
    expect(await setAutoTopUp(world.services, user.id, true)).toEqual({ ok: false, code: 'no_saved_card' })
  })

  test('says nothing of the one that took its place meanwhile', async () => {
    const user = await addCustomer(world)
    world.provider.away = 'before'
    await callOnce(world, user.id)
    await runAll(world.services)
    world.provider.away = 'no'
    await deliver(world, (await order(world, user.id, 10, true)).paid())
    await spend(world, user, 10)
    world.provider.keptCard = 'declined'
    world.clock.advance(2000)
    await runAll(world.services)
    expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'failed', failure: 'declined' }])
    expect(await userOf(world, user.id)).toMatchObject({ auto_topup_failures: 0, auto_topup_trouble: null })
  })

  test('lets the call end when the paid time does', async () => {
    const user = await addCustomer(world, { left: 0.03 })
    world.provider.keptCard = 'declined'
    const call = await connectCall(world.control, user.id, american)
    expect(call.limitMs).toBe(minuteMs)
    await chargeDueMinutes(world.services)
    await runAll(world.services)
    expect(world.network.limits).toEqual([])
    await call.end(minuteMs, 'limit')
    expect((await userOf(world, user.id)).balance).toBe(10_000)
  })
})
