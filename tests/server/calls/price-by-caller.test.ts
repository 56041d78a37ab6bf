import { afterEach, describe, expect, test } from 'vitest'
import { formatRate, usdToMicroUsd } from '#lib/money/money.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { callReceiptOf } from '#server/calls/history/call-receipt.ts'
import { findCallRow } from '#server/calls/history/history.ts'
import { priceCall } from '#server/calls/placing/price.ts'
import { quoteCountry, quoteNumber } from '#server/calls/placing/quote.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { callCostsOf, costOfCall } from '#server/tariff/call-costs.ts'
import { neededPrice } from '#server/tariff/compare.ts'
import { ownMargins } from '#server/tariff/margins.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld, type World } from '#support/world.ts'

const german = '+4915123456789'
const american = '+12125550199'
const swedish = '+46701740699'
const [publicNumber, eeaNumber] = ['+442079460000', '+46846500400']
const minuteMs = 60_000

const world = keepForFile(await createWorld())
const services = { ...world.services, policy: defaultCallPolicy }
afterEach(() => reconcileCalls(world.services, 0))

/** What a minute to Germany costs from outside the EEA, as the page would read it. */
const surcharged = () => {
  const quote = quoteNumber(services, german, american)
  if (quote === undefined) throw new Error('Germany is not sold')
  return { microUsd: usdToMicroUsd(quote.ourRate), surcharge: quote.surcharge ?? 0 }
}

async function caller(options: Parameters<World['addUser']>[0], ...numbers: readonly string[]) {
  const user = await world.addUser(options)
  for (const number of numbers)
    await world.db.query('insert into caller_id values ($1, $2, $3)', [user.id, number, world.clock.now()])
  return user
}

const place = (
  userId: string,
  callerId: string | undefined,
  more: { readonly expectsRateMicroUsd?: number; readonly expectsFree?: boolean } = {},
  by = services,
) => createCallControl(by).place({ userId, to: german, callerId, ...more })

describe('what a call costs', () => {
  test('a call into the EEA shows the public number there, for the price of the tariff', () => {
    expect(priceCall(services, german)).toMatchObject({
      microUsdPerMinute: 23_000,
      surchargeMicroUsd: 0,
      shown: eeaNumber,
    })
    expect(priceCall(services, '+12125550142')).toMatchObject({
      microUsdPerMinute: 20_000,
      shown: publicNumber,
    })
    expect(quoteCountry(services, 'DE')).toMatchObject({
      ...{ ourRate: 0.023, landline: 0.023, freeMinutes: 5 },
      maxSurcharge: 0.266,
    })
    expect(quoteCountry(services, 'US')).not.toHaveProperty('maxSurcharge')
  })

  test('a number from outside the EEA costs what the carrier asks for it, and says how much more that is', () => {
    // $0.0174 and $0.25, with the browser's leg, and what a card leaves of it.
    expect(surcharged()).toEqual({ microUsd: 289_000, surcharge: 0.266 })
    expect(quoteNumber(services, german, swedish)).not.toHaveProperty('surcharge')
    expect(quoteNumber(services, german, swedish)?.ourRate).toBe(0.023)
    expect(quoteNumber(services, german, american)?.freeMinutes).toBe(1)
    expect(quoteNumber(services, '+12125550142', american)).toMatchObject({ ourRate: 0.02 })
  })

  test('without a number of ours in the EEA quotes the price of the call, and no surcharge', () => {
    const telephony = { ...services.telephony, publicNumbers: [publicNumber] }
    const one = { ...services, telephony }
    expect(quoteNumber(one, german)?.ourRate).toBe(0.289)
    expect(quoteCountry(one, 'DE')?.ourRate).toBe(0.289)
    // The caller's own number in the EEA is no more expensive than ours.
    expect(quoteNumber(one, german, swedish)).toMatchObject({ ourRate: 0.023 })
    expect(quoteNumber(one, german, american)).not.toHaveProperty('surcharge')
  })

  test('no prefix is sold below what the call costs, whatever it shows', () => {
    const prefixes = new Set([
      ...services.tariff.rates.map(({ prefix }) => prefix),
      ...services.costs.rows.keys(),
    ])
    for (const shown of [undefined, american, swedish, '+442079460958', '+919876543210', '+8613912345678']) {
      for (const prefix of prefixes) {
        const price = priceCall(services, prefix, shown)
        if (price === undefined) continue
        const cost = costOfCall(services.costs, prefix, price.shown) ?? 0
        expect(price.microUsdPerMinute, `${prefix} ${shown}`).toBeGreaterThanOrEqual(
          neededPrice(cost, ownMargins),
        )
      }
    }
  })
})

describe('a call that shows a number from outside the EEA', () => {
  test('is placed at the price that was shown, which is stored, charged, and on the receipt', async () => {
    const user = await caller({ credit: 1 }, american)
    const { microUsd, surcharge } = surcharged()
    const placed = await place(user.id, american, { expectsRateMicroUsd: microUsd })
    expect(placed).toMatchObject({ kind: 'connect', from: american, limitMs: 3 * minuteMs })
    if (placed.kind === 'refuse') return
    const control = createCallControl(services)
    await control.report({ kind: 'answered', callId: placed.callId })
    await control.report({
      kind: 'ended',
      callId: placed.callId,
      answeredMs: 61_000,
      end: 'caller_hung_up',
    })
    const row = await findCallRow(world.db, user.id, placed.callId)
    const receipt = row && (await callReceiptOf(services, row))
    expect(receipt?.call).toMatchObject({ ratePerMinute: 0.289, surcharge, minutesCharged: 2, cost: 0.578 })
    expect(receipt?.charges.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(0.578, 9)
  })

  test('is rejected with its price where no price was shown, or a lower one', async () => {
    const user = await caller({ credit: 1 }, american)
    const refused = {
      kind: 'refuse',
      code: 'price_changed',
      message: 'With your own number this call costs $0.289 a minute. Press Call again to pay.',
    }
    expect(await place(user.id, american)).toEqual(refused)
    expect(await place(user.id, american, { expectsRateMicroUsd: 23_000 })).toEqual(refused)
  })

  test('is free for as long as its own price allows', async () => {
    const [expensive, plain] = [
      await caller({ freeCall: 'available' }, american),
      await caller({ freeCall: 'available' }),
    ]
    for (const { id } of [expensive, plain])
      await noteOrigin(services, id, { address: '127.0.0.1', device: services.random.uuid() })
    expect(await place(expensive.id, american, { expectsFree: true })).toMatchObject({ limitMs: minuteMs })
    expect(await place(plain.id, undefined, { expectsFree: true })).toMatchObject({ limitMs: 5 * minuteMs })
  })

  test('counts at its own price against the highest rate and the budget of free calls', async () => {
    const costs = callCostsOf([
      { prefixes: ['49'], callers: ['46'], microUsdPerMinute: 17_400 },
      { prefixes: ['49'], callers: [], microUsdPerMinute: 1_200_000 },
    ])
    const by = { ...services, costs }
    const paying = await caller({ credit: 20 }, american)
    const expectsRateMicroUsd = 1_280_000
    expect(await place(paying.id, american, { expectsRateMicroUsd }, by)).toMatchObject({
      code: 'rate_limit',
    })
    const free = await caller({ freeCall: 'available' }, american)
    expect(await place(free.id, american, { expectsFree: true }, by)).toMatchObject({
      code: 'no_credits',
      message: 'Your free call covers rates up to $0.50 a minute. This number costs $1.28.',
    })
  })
})

test('rejects a price that rose since it was shown with the new one, and charges one that fell', async () => {
  const user = await caller({ credit: 1 })
  expect(await place(user.id, undefined, { expectsRateMicroUsd: 21_000 })).toEqual({
    kind: 'refuse',
    code: 'price_changed',
    message: `This call costs ${formatRate(23_000)} a minute. Press Call again to pay.`,
  })
  const placed = await place(user.id, undefined, { expectsRateMicroUsd: 50_000 })
  expect(placed).toMatchObject({ kind: 'connect', from: eeaNumber })
  if (placed.kind === 'refuse') return
  const [call] = await world.db.query('select rate, surcharge from call where id = $1', [placed.callId])
  expect(call).toEqual({ rate: 23_000, surcharge: 0 })
})

describe('over trunks', () => {
  const rows = [
    { prefixes: ['4930'], callers: ['44'], microUsdPerMinute: 30_000 },
    { prefixes: ['4915'], callers: [], microUsdPerMinute: 30_000 },
  ]
  const by = { ...services, costs: callCostsOf(rows, 'trunks') }

  test('the price covers the carrier and the card, and no leg of the browser', () => {
    expect(priceCall(by, german)?.microUsdPerMinute).toBe(32_000)
    const hosted = { ...services, costs: callCostsOf(rows) }
    expect(priceCall(hosted, german)?.microUsdPerMinute).toBe(37_000)
  })

  test('a number is called with the public number that a carrier takes, and not with another', () => {
    expect(priceCall(by, '+4930123456')).toMatchObject({ shown: publicNumber, microUsdPerMinute: 32_000 })
    expect(priceCall(by, '+4930123456', american)).toBeUndefined()
    expect(quoteCountry(by, 'DE')).toMatchObject({ landline: 0.032 })
    expect(quoteCountry(by, 'FR')).toBeUndefined()
  })

  test('a number that no carrier has a price for is rejected, and nothing is held for it', async () => {
    const user = await caller({ credit: 1 })
    const refused = { kind: 'refuse', code: 'unsupported_destination' }
    const control = createCallControl(by)
    expect(await control.place({ userId: user.id, to: '+4989123456', callerId: undefined })).toMatchObject(
      refused,
    )
    expect(await world.db.query('select 1 from call where user_id = $1', [user.id])).toEqual([])
    expect(await place(user.id, undefined, {}, by)).toMatchObject({ kind: 'connect' })
  })
})

test('an attempt that is repeated is connected at the price that was stored', async () => {
  const user = await caller({ credit: 1 }, american)
  const { microUsd: expectsRateMicroUsd } = surcharged()
  const asked = { userId: user.id, to: german, callerId: american, expectsRateMicroUsd, leg: 'CA1' }
  const [first, repeated] = [await world.control.place(asked), await world.control.place(asked)]
  expect(first).toMatchObject({ kind: 'connect', rateMicroUsd: 289_000 })
  expect(repeated).toMatchObject(first)
})
