import { expect, test } from 'vitest'
import type { OpsInterval, OpsOverview } from '#lib/api/ops.ts'
import {
  averageOf,
  browserName,
  columns,
  duration,
  findTroubles,
  incidentText,
  peakOf,
  rateText,
  setUpText,
  sumOf,
  valueText,
  versionsText,
} from './wording.ts'

const quiet: OpsInterval = {
  at: '2026-03-01T11:00:00.000Z',
  calls: {},
  answered: 0,
  callSeconds: null,
  setUpSeconds: null,
  charged: 0,
  toppedUp: 0,
  meterLagSeconds: null,
  jobsDue: null,
  webhookFailures: 0,
  providerErrors: 0,
}
const busy: OpsInterval = {
  ...quiet,
  at: '2026-03-01T12:00:00.000Z',
  calls: { talked: 3, no_answer: 1, busy: 1, failed: 1, cut_off: 2 },
  answered: 5,
  callSeconds: 60,
}
const good: OpsOverview = {
  at: '2026-03-01T12:30:00.000Z',
  operator: 'Anna',
  processes: [
    {
      id: 'p',
      version: '1',
      startedAt: '2026-03-01T10:00:00.000Z',
      seenAt: '2026-03-01T12:29:30.000Z',
      state: 'running',
      calls: 0,
      sockets: 0,
    },
  ],
  redis: 'answers',
  providers: [],
  liveCalls: { placed: 0, ringing: 0, answered: 0 },
  meterDueSeconds: 30,
  jobs: { due: 1, later: 0, oldestSeconds: 120, givenUp: 0 },
  books: { comparedAt: null, differences: 0 },
  pausedPrefixes: 0,
  scarceBudgets: [],
  lastHour: { webhookFailures: 5, providerErrors: 5 },
  incidents: [],
  intervals: [quiet, busy],
  browsers: [],
}
const texts = (overview: OpsOverview) => findTroubles(overview).map(trouble => trouble.text)

test('within the limits there is nothing to say', () => {
  expect(texts(good)).toEqual([])
})

test('reports each exceeded limit, the serious ones first, with where to look', () => {
  expect(texts({ ...good, redis: 'away', meterDueSeconds: 31 })).toEqual([
    'A minute has been waiting 31 s to be charged',
    "Redis doesn't answer",
  ])
  expect(texts({ ...good, processes: [] })).toEqual(['No process has reported yet'])
  expect(
    texts({ ...good, processes: good.processes.map(known => ({ ...known, state: 'silent' as const })) }),
  ).toContain('1 process is silent')
  expect(texts({ ...good, books: { comparedAt: null, differences: 2 } })).toEqual([
    'The books differ in 2 places',
  ])
  expect(texts({ ...good, pausedPrefixes: 1 })).toEqual(['Calls to 1 expensive prefix are paused'])
  expect(texts({ ...good, scarceBudgets: [{ kind: 'free_call', used: 0.724 }] })).toEqual([
    '72% of today’s budget for free calls is used up',
  ])
  expect(texts({ ...good, jobs: { ...good.jobs, oldestSeconds: 121, givenUp: 1 } })).toEqual([
    'A job has been waiting 2 min',
    "1 e-mail couldn't be delivered today",
  ])
  expect(texts({ ...good, lastHour: { webhookFailures: 6, providerErrors: 6 } })).toHaveLength(2)
  // What is long past appears below, and worries nobody now.
  expect(texts({ ...good, intervals: [{ ...quiet, webhookFailures: 60 }, quiet] })).toEqual([])
  for (const trouble of findTroubles({ ...good, redis: 'away' })) expect(trouble.next).toMatch(/^[A-Z].*\.$/)
})

test('figures are read with their units', () => {
  expect(valueText(0.642, 'share')).toBe('64%')
  expect(valueText(1234, 'count')).toBe('1,234')
  expect(valueText(12.5, 'usd')).toBe('$12.50')
  expect([0, 0.34, 9.96, 12.4, 89, 90, 5399, 5400, 172_800].map(duration)).toEqual([
    '0 s',
    '0.3 s',
    '10 s',
    '12 s',
    '89 s',
    '1.5 min',
    '89 min',
    '1 h',
    '2 days',
  ])
})

test('sums, peaks and averages leave out what is not known', () => {
  const intervals = [
    quiet,
    busy,
    { ...busy, at: '2026-03-01T13:00:00.000Z', answered: 1, callSeconds: 120, calls: {} },
  ]
  expect(sumOf(columns.calls, intervals)).toBe(8)
  expect(sumOf(columns.unanswered, intervals)).toBe(2)
  expect(sumOf(columns.failed, intervals)).toBe(3)
  expect(peakOf(columns.calls, intervals)).toEqual({ value: 8, at: busy.at })
  expect(peakOf(columns.jobs, intervals)).toBeUndefined()
  expect(averageOf(columns.length, intervals)).toBe(70)
  expect(averageOf(columns.length, [quiet])).toBeNull()
  expect(columns.answerRate.of(busy)).toBe(5 / 8)
  expect(columns.answerRate.of(quiet)).toBeNull()
})

test('summarises incidents of one kind in one line', () => {
  const when = { from: '2026-03-01T11:00:00.000Z', to: '2026-03-01T11:02:00.000Z' }
  expect(incidentText({ kind: 'meter_late', ...when, worstSeconds: 2.94 })).toBe('The meter ran 2.9 s late')
  expect(incidentText({ kind: 'webhooks_refused', ...when, failures: 1 })).toBe(
    '1 provider event was rejected',
  )
  expect(incidentText({ kind: 'provider_errors', ...when, provider: 'stripe', errors: 13 })).toBe(
    '13 requests to stripe failed',
  )
})

test('names a kind of browser with its versions', () => {
  expect(browserName({ engine: 'webkit', system: 'ios' })).toBe('WebKit on iOS')
  expect(browserName({ engine: 'other', system: 'other' })).toBe('Unknown engine on unknown system')
  expect(versionsText({ oldestVersion: 141, newestVersion: 141 })).toBe('141')
  expect(versionsText({ oldestVersion: 17, newestVersion: 26 })).toBe('17–26')
  expect(versionsText({ oldestVersion: null, newestVersion: null })).toBeNull()
})

test('gives no rate and no set-up time of fewer than 20 calls', () => {
  expect([rateText(0, 0), rateText(19, 19)]).toEqual([null, null])
  expect([rateText(0, 20), rateText(1, 80), rateText(10, 100), rateText(100, 101)]).toEqual([
    '0%',
    '1.3%',
    '10%',
    '99%',
  ])
  const setUpSeconds = { median: 4.26, ninetieth: 31.4 }
  expect(setUpText({ answered: 19, setUpSeconds }, 'median')).toBeNull()
  expect(setUpText({ answered: 20, setUpSeconds }, 'median')).toBe('4.3 s')
  expect(setUpText({ answered: 20, setUpSeconds }, 'ninetieth')).toBe('31 s')
})
