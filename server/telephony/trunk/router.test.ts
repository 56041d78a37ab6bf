import { beforeEach, expect, test } from 'vitest'
import { minuteMs } from '#lib/time.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'
import { carrierOf } from '#support/trunk/carriers.ts'
import { callCostsOf } from '../../tariff/call-costs.ts'
import { Router } from './router.ts'
import { firstRestMs } from './routes.ts'
import type { AttemptOutcome, CarrierAttempt, CarrierResults } from './trunk-books.ts'

const call = { to: '+4915123456789', from: '+442079460000', rateMicroUsd: 50_000 }

let clock: MovableClock
let router: Router
let recorded: CarrierAttempt[]
let warnings: string[]
let read: Date[]
let results: readonly CarrierResults[]
let isAway: boolean

beforeEach(() => {
  clock = createStoppedClock()
  recorded = []
  warnings = []
  read = []
  results = []
  isAway = false
  const priced = (name: string, microUsdPerMinute: number) => ({
    carrier: carrierOf({ name, set: 1 }),
    costs: callCostsOf([{ prefixes: ['49'], callers: [], microUsdPerMinute }], 'trunks'),
  })
  const nothing = () => undefined
  router = new Router({
    carriers: [priced('blue', 10_000), priced('red', 10_000)],
    publicNumbers: [call.from],
    clock,
    log: { debug: nothing, info: nothing, error: nothing, warn: (_, message) => warnings.push(message) },
    books: {
      record: async attempt => {
        if (isAway) throw new Error('the database is away')
        recorded.push(attempt)
      },
      resultsSince: async since => {
        if (isAway) throw new Error('the database is away')
        read.push(since)
        return results
      },
    },
  })
})

const names = () => router.routesTo(call).map(({ carrier }) => carrier.name)
const settled = () => new Promise(resolve => setImmediate(resolve))
const report = (outcome: AttemptOutcome, carrier = 'blue') =>
  router.onAttempt({
    ...{ callId: '0a4c7a0e-38ff-4a7c-8f0b-0c2f7a6de001', attempt: 0, carrier, costMicroUsd: 10_000 },
    beganAt: clock.now(),
    outcome,
  })

test('sends one call to a carrier after its rest, and the others past it until that one is decided', () => {
  for (let time = 0; time < 3; time += 1) report('failed')
  expect(warnings).toEqual(['a carrier fails, and is rested'])
  expect(names()).toEqual(['red', 'blue'])
  clock.advance(firstRestMs)
  expect([names(), names(), names()]).toEqual([
    ['blue', 'red'],
    ['red', 'blue'],
    ['red', 'blue'],
  ])
  report('failed')
  expect(names()).toEqual(['red', 'blue'])
  clock.advance(2 * firstRestMs)
  expect(names()).toEqual(['blue', 'red'])
  report('answered')
  expect([names(), names()]).toEqual([
    ['blue', 'red'],
    ['blue', 'red'],
  ])
})

test('records every attempt', () => {
  report('failed')
  report('answered', 'red')
  expect(recorded.map(({ carrier, outcome }) => [carrier, outcome])).toEqual([
    ['blue', 'failed'],
    ['red', 'answered'],
  ])
})

test('reads the results of the last three hours once a minute, and no call waits for them', async () => {
  const usual = { attempts: 100, measured: 0, mos: undefined }
  results = [
    { carrier: 'blue', answered: 30, ...usual },
    { carrier: 'red', answered: 60, ...usual },
  ]
  expect(names()).toEqual(['blue', 'red'])
  await settled()
  expect(names()).toEqual(['red', 'blue'])
  expect(read).toEqual([new Date('2026-03-01T09:00:00Z')])
  clock.advance(minuteMs)
  results = []
  names()
  await settled()
  expect(names()).toEqual(['blue', 'red'])
  expect(read).toHaveLength(2)
})

test('goes on choosing without the database', async () => {
  isAway = true
  expect(names()).toEqual(['blue', 'red'])
  report('answered')
  await settled()
  expect(warnings.toSorted()).toEqual([
    'an attempt at a carrier was not recorded',
    'the results of carriers could not be read',
  ])
  expect(names()).toEqual(['blue', 'red'])
})
