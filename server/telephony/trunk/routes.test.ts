import { describe, expect, test } from 'vitest'
import { carrierOf } from '#support/trunk/carriers.ts'
import { type CallCosts, callCostsOf, costOfCall } from '../../tariff/call-costs.ts'
import { neededPrice } from '../../tariff/compare.ts'
import { trunkMargins } from '../../tariff/margins.ts'
import { trunkCosts } from './carrier-prices.ts'
import type { Carrier } from './carriers.ts'
import {
  afterAttempt,
  beginRest,
  type Condition,
  firstRestMs,
  longestRestMs,
  type PricedCarrier,
  type RoutedCall,
  type RoutingFacts,
  routesFor,
} from './routes.ts'
import type { AttemptOutcome, CarrierResults } from './trunk-books.ts'

const ours = '+442079460000'
const german = '+4915123456789'
const american = '+12125550199'

/** Micro-dollars a minute, by prefix. */
function costsOf(costs: Readonly<Record<string, number>>): CallCosts {
  const rows = Object.entries(costs).map(([prefix, microUsdPerMinute]) => ({
    prefixes: [prefix],
    callers: [],
    microUsdPerMinute,
  }))
  return callCostsOf(rows, 'trunks')
}

function carrier(
  name: string,
  costs: Readonly<Record<string, number>>,
  callerIds: Carrier['callerIds'] = 'any',
): PricedCarrier {
  return { carrier: carrierOf({ name, set: 1, callerIds }), costs: costsOf(costs) }
}

const call: RoutedCall = { to: german, from: american, rateMicroUsd: 50_000 }

function route(
  carriers: readonly PricedCarrier[],
  asked: Partial<RoutedCall> = {},
  facts: Partial<RoutingFacts> = {},
) {
  const none = { publicNumbers: [ours], conditions: new Map(), results: new Map(), nowMs: 0 }
  const { routes, probed } = routesFor(carriers, { ...call, ...asked }, { ...none, ...facts })
  return { names: routes.map(one => one.carrier.name), routes, probed }
}

describe('which carriers may take a call', () => {
  test('those with a price for the number, cheapest first', () => {
    const { routes } = route([
      carrier('red', { 49: 20_000 }),
      carrier('green', { 44: 1 }),
      carrier('blue', { 49: 30_000, 4915: 10_000 }),
    ])
    expect(routes.map(({ carrier: { name }, costMicroUsd }) => [name, costMicroUsd])).toEqual([
      ['blue', 10_000],
      ['red', 20_000],
    ])
  })

  test('never one that would sell below cost: the card takes its part, the browser costs nothing', () => {
    // $0.0188 and 5.9 % of the price are $0.01998.
    expect(route([carrier('blue', { 49: 18_800 })], { rateMicroUsd: 20_000 }).names).toEqual(['blue'])
    expect(route([carrier('blue', { 49: 18_900 })], { rateMicroUsd: 20_000 }).names).toEqual([])
  })

  test('one that shows only our numbers takes no call that shows a user’s', () => {
    const carriers = [carrier('blue', { 49: 1_000 }, 'ours'), carrier('red', { 49: 2_000 })]
    expect(route(carriers, { from: american }).names).toEqual(['red'])
    expect(route(carriers, { from: ours }).names).toEqual(['blue', 'red'])
  })

  test('every call that has a price has a carrier that the price pays for', () => {
    const carriers = [
      carrier('blue', { 4: 9_000, 49: 30_000, 491: 12_345 }, 'ours'),
      carrier('red', { 49: 20_001, 4915: 90_000, 4916: 7 }),
      carrier('green', { 1: 5_000, 4915: 60_000 }),
    ]
    const costs = trunkCosts(carriers, [ours])
    for (const to of [
      '+4915123456789',
      '+4916123456789',
      '+4930123456',
      '+442079460000',
      '+12125550100',
      '+331',
    ]) {
      for (const from of [ours, american]) {
        const cost = costOfCall(costs, to, from)
        const rateMicroUsd = neededPrice(cost ?? 0, trunkMargins)
        const { routes } = route(carriers, { to, from, rateMicroUsd })
        expect(routes[0]?.costMicroUsd, `${to} from ${from}`).toBe(cost)
        for (const { costMicroUsd } of routes)
          expect(neededPrice(costMicroUsd, trunkMargins)).toBeLessThanOrEqual(rateMicroUsd)
      }
    }
  })
})

describe('among carriers that cost the same', () => {
  const results = (
    ...all: readonly (Partial<CarrierResults> & Pick<CarrierResults, 'carrier'>)[]
  ): ReadonlyMap<string, CarrierResults> => {
    const usual = { attempts: 100, answered: 60, measured: 50, mos: 4.2 }
    return new Map(all.map(one => [one.carrier, { ...usual, ...one }]))
  }

  test('costs within 2 % of the cheapest are equal, and others are not', () => {
    const carriers = [
      carrier('red', { 49: 10_201 }),
      carrier('blue', { 49: 10_200 }),
      carrier('old', { 49: 10_000 }),
    ]
    const measured = results({ carrier: 'old', answered: 20 }, { carrier: 'blue' }, { carrier: 'red' })
    expect(route(carriers, {}, { results: measured }).names).toEqual(['blue', 'old', 'red'])
  })

  const [red, blue] = [carrier('red', { 49: 10_000 }), carrier('blue', { 49: 10_000 })]

  test('the one with more answered calls comes first', () => {
    const measured = results({ carrier: 'red', answered: 50, mos: 4.5 }, { carrier: 'blue', mos: 3 })
    expect(route([red, blue], {}, { results: measured }).names).toEqual(['blue', 'red'])
  })

  test('then the one with the better sound', () => {
    const measured = results({ carrier: 'red', answered: 61, mos: 3.5 }, { carrier: 'blue', answered: 59 })
    expect(route([red, blue], {}, { results: measured }).names).toEqual(['blue', 'red'])
  })

  test('then the cheaper one, and then the first of the file', () => {
    expect(route([red, blue]).names).toEqual(['red', 'blue'])
    expect(route([red, carrier('blue', { 49: 9_990 })]).names).toEqual(['blue', 'red'])
  })

  test('one with few calls counts as the best, so that it gets some', () => {
    const measured = results({ carrier: 'red' }, { carrier: 'blue', attempts: 19, answered: 0, measured: 0 })
    expect(route([red, blue], {}, { results: measured }).names).toEqual(['blue', 'red'])
  })
})

describe('a carrier that fails', () => {
  const carriers = [carrier('blue', { 49: 10_000 }), carrier('red', { 49: 20_000 })]
  const conditionAfter = (outcomes: readonly AttemptOutcome[], nowMs: number, from?: Condition) =>
    outcomes.reduce<Condition | undefined>(
      (condition, outcome) => afterAttempt(condition, outcome, nowMs),
      from,
    )
  const failed = ['failed', 'failed', 'failed'] as const
  const rested = (): Condition => {
    const condition = conditionAfter(failed, 0)
    if (condition === undefined) throw new Error('it does not rest')
    return condition
  }
  const at = (nowMs: number, condition: Condition | undefined) =>
    route(carriers, {}, { nowMs, conditions: new Map(condition && [['blue', condition]]) })

  test('three times in a row is rested: others come first, and it is the last resort', () => {
    expect(at(1000, conditionAfter(failed.slice(1), 1000)).names).toEqual(['blue', 'red'])
    expect(at(1000, conditionAfter(failed, 1000))).toMatchObject({
      names: ['red', 'blue'],
      probed: undefined,
    })
  })

  test.each(['answered', 'unanswered'] as const)('is forgiven by a call that it takes: %s', outcome => {
    expect(conditionAfter(['failed', 'failed', outcome, 'failed'], 0)).toMatchObject({ failures: 1 })
    expect(conditionAfter([...failed, outcome], 0)).toBeUndefined()
  })

  test.each(['abandoned', 'not_placed'] as const)(
    'is neither blamed nor forgiven for a call that was %s',
    outcome => {
      expect(conditionAfter(['failed', outcome, outcome], 0)).toEqual(conditionAfter(['failed'], 0))
      expect(conditionAfter([...failed, outcome], 0)).toEqual(conditionAfter(failed, 0))
    },
  )

  test('is tried by one call after its rest, and by the next one after twice as long', () => {
    expect(at(firstRestMs - 1, rested()).names).toEqual(['red', 'blue'])
    expect(at(firstRestMs, rested())).toMatchObject({ names: ['blue', 'red'], probed: 'blue' })
    const probing = beginRest(rested(), firstRestMs)
    expect(at(firstRestMs, probing)).toMatchObject({ names: ['red', 'blue'], probed: undefined })
    const still = conditionAfter(['failed'], firstRestMs + 2000, probing)
    expect(at(firstRestMs * 3 - 1, still).names).toEqual(['red', 'blue'])
    expect(at(firstRestMs * 3, still).probed).toBe('blue')
    expect(conditionAfter(['answered'], firstRestMs + 2000, probing)).toBeUndefined()
  })

  test('rests no longer for calls that fail meanwhile, nor ever for more than ten minutes', () => {
    expect(conditionAfter([...failed, ...failed, ...failed], 0)).toEqual(conditionAfter(failed, 0))
    let condition = rested()
    for (let turn = 0; turn < 50; turn += 1) {
      const endsAtMs = condition.restsUntilMs
      expect(at(endsAtMs, condition).probed).toBe('blue')
      condition = afterAttempt(condition, 'failed', endsAtMs) ?? condition
      const restMs = condition.restsUntilMs - endsAtMs
      expect(restMs).toBe(Math.min(longestRestMs, firstRestMs * 2 ** (turn + 1)))
    }
  })

  test('is no probe for a call that another carrier takes first', () => {
    const conditions = new Map([['red', rested()]])
    expect(route(carriers, {}, { nowMs: firstRestMs, conditions })).toMatchObject({
      names: ['blue', 'red'],
      probed: undefined,
    })
  })

  test('is used all the same when every carrier rests, in the usual order', () => {
    const conditions = new Map([
      ['red', rested()],
      ['blue', rested()],
    ])
    expect(route(carriers, {}, { nowMs: 1, conditions })).toMatchObject({
      names: ['blue', 'red'],
      probed: undefined,
    })
  })
})
