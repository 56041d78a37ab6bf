import { afterEach, beforeEach, expect, test } from 'vitest'
import { callsCsv } from '#islands/call-history/calls-csv.ts'
import { callOutcome } from '../api/calls.ts'
import {
  type CallFilter,
  callFilterBody,
  callGroups,
  everyCall,
  isBackwards,
  isFiltering,
  readCallFilter,
  writeCallFilter,
} from './call-filter.ts'

const zone = process.env['TZ']
beforeEach(() => {
  process.env['TZ'] = 'America/New_York'
})
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const read = (fields: string) => readCallFilter(new URLSearchParams(fields.replace(/^#/, '')))

test('each outcome is in one group', () => {
  const grouped = Object.values(callGroups).flat()
  expect(grouped).toHaveLength(callOutcome.options.length)
  expect(new Set(grouped)).toEqual(new Set(callOutcome.options))
})

test('a filter goes into the address and comes back from it', () => {
  const filter: CallFilter = { who: '+44 20', from: '2025-11-01', to: '2025-11-20', outcome: 'busy' }
  expect(writeCallFilter(filter)).toBe('#who=%2B44%2020&from=2025-11-01&to=2025-11-20&outcome=busy')
  expect(read(writeCallFilter(filter))).toEqual(filter)
  expect(writeCallFilter(everyCall)).toBe('')
})

test('what an address says wrongly is left out', () => {
  expect(read('from=2025-02-30&to=yesterday&outcome=won&other=1')).toEqual(everyCall)
  expect(read('from=0002-01-01')).toEqual(everyCall)
  expect(read(`who=${'1'.repeat(500)}`).who).toHaveLength(100)
})

test('days are the reader’s own, the last one included, also where the clocks change', () => {
  const days = { ...everyCall, from: '2025-11-01', to: '2025-11-02' }
  // Clocks went back on the second: it had 25 hours.
  expect(callFilterBody(days)).toMatchObject({
    from: '2025-11-01T04:00:00.000Z',
    to: '2025-11-03T05:00:00.000Z',
  })
})

test('spaces and half a date let all calls through', () => {
  for (const filter of [
    { ...everyCall, who: '  ' },
    { ...everyCall, from: '0202-11-01' },
  ]) {
    expect(isFiltering(filter)).toBe(false)
    expect(writeCallFilter(filter)).toBe('')
    expect(Object.values(callFilterBody(filter))).toEqual([undefined, undefined, undefined, undefined])
  }
})

test('a last day before the first one is noticed', () => {
  expect(isBackwards({ ...everyCall, from: '2025-11-02', to: '2025-11-01' })).toBe(true)
  expect(isBackwards({ ...everyCall, from: '2025-11-01', to: '2025-11-01' })).toBe(false)
  expect(isBackwards({ ...everyCall, to: '2025-11-01' })).toBe(false)
})

test('the file names each call, and no number or name in it can run in a spreadsheet', () => {
  const time = '2025-11-20T14:02:00.000Z'
  const call = {
    id: 'c-1',
    to: '+919876543210',
    isoCode: 'IN',
    state: 'ended',
    placedAt: time,
    answeredAt: time,
    endedAt: time,
    seconds: 61,
    ratePerMinute: 0.0184,
    minutesCharged: 2,
    cost: 0.0368,
    free: false,
    outcome: 'completed',
  } as const
  const csv = callsCsv([call], new Map([[call.to, '=cmd|"x"']]))
  expect(csv.startsWith('\ufeff')).toBe(true)
  const [, line] = csv.split('\r\n')
  expect(line).toBe(`${time},"'+919876543210","'=cmd|""x""",India,Completed,61,2,0.0184,0.0368,0.00,no,c-1`)
})
