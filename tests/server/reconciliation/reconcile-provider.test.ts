import { afterEach, describe, expect, test } from 'vitest'
import type { PaymentUpdate } from '#server/payment-provider/port.ts'
import { runAutoTopUps, topUpTimeoutMs } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { refundPayment } from '#server/payments/refunds/operator-refund.ts'
import { maxCompared } from '#server/reconciliation/reconcile-provider.ts'
import { reconcileEverything, unfinishedMs } from '#server/reconciliation/reconcile-report.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { deliver, type Order } from '../payments/buyer.ts'
import { addCustomer, callOnce, topUpPaid, topUpsOf } from '../payments/top-up-customer.ts'
import { buy, dayMs, differences, endComparison } from './both-sides.ts'

const world = keepForFile(await createWorld())
afterEach(() => endComparison(world))

describe('a payment that is paid here', () => {
  const cases: readonly [string, (one: Order) => PaymentUpdate | undefined][] = [
    ['says that it is not paid yet', () => undefined],
    ['says that it expired', one => one.expired()],
    ['says that it failed: declined', one => one.declined()],
    ['says $9.00', one => one.paid({ amountMicroUsd: 9_000_000 })],
    ['says that it is payment another', one => one.paid({ paymentId: 'another' })],
    ['says that it is charge pi_other', one => one.paid({ intentRef: 'pi_other' })],
    ['says what is no payment', () => ({ kind: 'other' })],
  ]
  test.each(cases)('is reported when the provider %s', async (says, update) => {
    const one = await buy(world)
    const known = update(one)
    if (known === undefined) world.provider.known.delete(`cs_${one.id}`)
    else world.provider.known.set(`cs_${one.id}`, known)
    const text = `Payment ${one.id} is paid here with $10.00; the provider ${says}.`
    expect(await differences(world)).toEqual([{ kind: 'payment', text }])
  })

  test('is reported when the provider does not know it', async () => {
    const one = await buy(world)
    const lookUp = () => Promise.reject(new Error('no such checkout'))
    const services = { ...world.services, payments: { ...world.provider, lookUp } }
    expect((await reconcileEverything(services)).differences).toEqual([
      {
        kind: 'payment',
        text: `Payment ${one.id} is paid here with $10.00; the provider does not know it, or said what cannot be read (see the log).`,
      },
    ])
  })

  test('waits for the next run while the provider cannot be reached, which is then not asked again', async () => {
    for (let count = 0; count < 7; count += 1) await buy(world)
    world.provider.away = 'before'
    let asked = 0
    const lookUp = (ref: string) => {
      asked += 1
      return world.provider.lookUp(ref)
    }
    const services = { ...world.services, payments: { ...world.provider, lookUp } }
    expect(await reconcileEverything(services)).toMatchObject({
      compared: 0,
      notCompared: 7,
      differences: [],
    })
    expect(asked).toBe(5)
    world.provider.away = 'no'
    expect(await reconcileEverything(world.services)).toMatchObject({ compared: 7, notCompared: 0 })
  })

  test('is compared for seven days, and so many in a run that it has an end, never compared ones first', async () => {
    const first = await buy(world)
    world.clock.advance(7 * dayMs)
    expect((await reconcileEverything(world.services)).compared).toBe(1)
    world.clock.advance(1)
    expect((await reconcileEverything(world.services)).compared).toBe(0)
    const asked = new Set<string>()
    const lookUpAll = (ref: string) => {
      asked.add(ref)
      return world.provider.lookUp(ref)
    }
    const services = { ...world.services, payments: { ...world.provider, lookUp: lookUpAll } }
    // Rows that no money stands behind, and that go again.
    const copy = `insert into payment (id, user_id, kind, state, provider, amount, bonus, checkout_ref, saves_card,
        express_request_at, created_at, paid_at, receipt)
      select gen_random_uuid(), user_id, kind, 'paid', provider, amount, bonus, 'copy-' || n, false, $2, $2, $2, -n
      from payment, generate_series(1, ${maxCompared + 5}) as n where id = $1`
    await world.db.query(copy, [first.id, world.clock.now()])
    expect((await reconcileEverything(services)).compared).toBe(maxCompared)
    expect(asked.size).toBe(maxCompared)
    await reconcileEverything(services)
    expect(asked.size).toBe(maxCompared + 5)
    await world.db.query('delete from payment where receipt < 0')
  })
})

test('an auto top-up that is open for a day is looked up, and nothing is changed by what the provider says', async () => {
  const user = await addCustomer(world, { left: 2.01 })
  await callOnce(world, user.id)
  await runAutoTopUps(world.services)
  const [topUp] = await topUpsOf(world, user.id)
  if (topUp === undefined) throw new Error('nothing was topped up')
  // The payment before it is not what is looked at here.
  world.clock.advance(8 * dayMs)
  const open = `Auto top-up ${topUp.id} of $10.00 is open for more than a day`
  const reported = (says: string) => [{ kind: 'auto_topup', text: `${open}; the provider ${says}.` }]
  expect(await differences(world)).toEqual(reported('says that it is not paid yet'))
  world.provider.known.set(`pi_${topUp.id}`, topUpPaid(topUp))
  expect(await differences(world)).toEqual(reported('says that it is paid'))
  expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'open' }])
  const stripe = { ...world.services, payments: { ...world.provider, provider: 'stripe' as const } }
  expect((await reconcileEverything(stripe)).differences).toEqual([
    { kind: 'auto_topup', text: `${open}, and its provider is local, which this server does not use.` },
  ])
  await runAutoTopUps(world.services)
  expect(await differences(world)).toEqual([])
})

test('looks up an auto top-up that was given up here, and reports it if the provider made it after all', async () => {
  const user = await addCustomer(world, { left: 2.01 })
  await callOnce(world, user.id)
  world.provider.away = 'before'
  await runAutoTopUps(world.services)
  world.clock.advance(topUpTimeoutMs)
  world.provider.away = 'no'
  await runAutoTopUps(world.services)
  const [topUp] = await topUpsOf(world, user.id)
  if (topUp === undefined) throw new Error('nothing was topped up')
  expect(topUp.state).toBe('expired')
  await world.db.query(`update payment set compared_at = null where user_id = $1`, [user.id])
  const bought = await world.db.query<{ checkout_ref: string; id: string }>(
    `select checkout_ref, id from payment where user_id = $1 and kind = 'checkout'`,
    [user.id],
  )
  for (const { checkout_ref: ref, id } of bought) {
    const paid = { ...topUpPaid(topUp), paymentId: id, intentRef: `pi_${id}`, checkoutRef: ref }
    world.provider.known.set(ref, paid)
  }
  expect(await differences(world)).toEqual([])
  world.provider.charges.push({
    paymentId: topUp.id,
    userId: user.id,
    customerRef: `cus_${user.id}`,
    methodRef: 'pm',
    amountMicroUsd: topUp.amount_micro_usd,
    description: 'made, as nobody here has heard',
  })
  const reported = (says: string) => [
    {
      kind: 'auto_topup',
      text: `Auto top-up ${topUp.id} of $10.00 was given up here; the provider ${says}.`,
    },
  ]
  expect(await differences(world)).toEqual(reported('says that it is not paid yet'))
  world.provider.known.set(`pi_${topUp.id}`, topUpPaid(topUp))
  expect(await differences(world)).toEqual(reported('says that it is paid'))
  const refused = { kind: 'charge_failed', paymentId: topUp.id, intentRef: `pi_${topUp.id}` } as const
  world.provider.known.set(`pi_${topUp.id}`, { ...refused, rejection: 'declined' })
  expect(await differences(world)).toEqual([])
})

test('reports an auto top-up that the provider never accepted when it has been open for a day', async () => {
  const user = await addCustomer(world, { left: 2.01 })
  await callOnce(world, user.id)
  world.provider.away = 'before'
  await runAutoTopUps(world.services)
  world.provider.away = 'no'
  const [topUp] = await topUpsOf(world, user.id)
  world.clock.advance(8 * dayMs)
  expect(await differences(world)).toEqual([
    {
      kind: 'auto_topup',
      text: `Auto top-up ${topUp?.id} of $10.00 is open for more than a day; the provider knows of no such charge.`,
    },
  ])
  await runAutoTopUps(world.services)
  expect(await topUpsOf(world, user.id)).toMatchObject([{ state: 'expired' }])
})

test.each([
  ['the provider has not finished it', 'no'],
  ['the provider never answered', 'before'],
] as const)('a refund that is pending for a day is told: %s', async (why, away) => {
  const one = await buy(world)
  const requestId = world.services.random.uuid()
  world.provider.refunding = 'pending'
  world.provider.away = away
  const asked = { requestId, paymentId: one.id, amountMicroUsd: null, reason: 'a test', actor: 'test' }
  expect(await refundPayment(world.services, asked)).toMatchObject({ ok: true, value: { state: 'pending' } })
  world.provider.refunding = 'succeeded'
  world.provider.away = 'no'
  world.clock.advance(unfinishedMs - 1)
  expect(await differences(world)).toEqual([])
  world.clock.advance(1)
  const ref = away === 'no' ? `re_${requestId}` : `asked:${requestId}`
  expect(await differences(world)).toEqual([
    {
      kind: 'refund',
      text: `Refund ${ref} of $10.00, payment ${one.id}, is pending for more than a day: ${why}.`,
    },
  ])
  await deliver(world, one.refund(10, 'succeeded', `re_${requestId}`, requestId))
})
