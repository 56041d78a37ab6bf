import { expect, test } from 'vitest'
import { readCdrFile } from './cdr-file.ts'

const noonMs = Date.UTC(2026, 10, 3, 12, 0, 0)
const read = (row: string) =>
  readCdrFile(`Called Number,Answer-Time,DURATION,Cost_USD\n${row}\n442079460000,1762171200,1,\n`)

test('columns are found by name, whatever their order and case', () => {
  expect(
    readCdrFile('id,cost,duration,billsec,start_time,dst\nx,0.0123,75,61,2026-11-03 12:00:00,+12125550142\n'),
  ).toEqual({
    times: 'start',
    records: [{ line: 2, number: '+12125550142', atMs: noonMs, seconds: 61, costMicroUsd: 12_300 }],
    faults: [],
  })
})

test('the time of the answer counts before that of the start', () => {
  const { times, records } = readCdrFile(
    'destination,start time,answer time,seconds\n12125550142,2026-11-03 11:59:40,2026-11-03 12:00:00,5\n',
  )
  expect([times, records[0]?.atMs, records[0]?.costMicroUsd]).toEqual(['answer', noonMs, undefined])
})

test.each([
  ['2026-11-03 12:00:00', 0],
  ['2026-11-03T12:00:00', 0],
  ['2026-11-03T12:00:00Z', 0],
  ['2026-11-03T12:00:00.250Z', 250],
  ['2026-11-03T07:00:00-05:00', 0],
  ['2026-11-03 13:00:00+0100', 0],
  [`${noonMs / 1000}`, 0],
  [`${noonMs / 1000}.5`, 500],
])('a time without a zone is UTC, another counts by its zone: %s', (text, laterMs) => {
  expect(read(`12125550142,${text},60,`).records[0]?.atMs).toBe(noonMs + laterMs)
})

test('an hour that clocks skip or repeat somewhere is an hour like any other in UTC', () => {
  const at = (text: string) => read(`12125550142,${text},60,`).records[0]?.atMs
  expect(at('2026-03-29 02:30:00')).toBe(Date.UTC(2026, 2, 29, 2, 30))
  // The same time of day twice, before and after the clocks in Berlin were set back.
  expect(at('2026-10-25T02:30:00+01:00')).toBe((at('2026-10-25T02:30:00+02:00') ?? 0) + 3_600_000)
})

test.each(['12125550142', '+1 (212) 555-0142', '0012125550142', '1.212.555.0142'])(
  'a number may be written as %s',
  number => {
    expect(read(`${number},2026-11-03 12:00:00,60,`).records[0]?.number).toBe('+12125550142')
  },
)

test('seconds are rounded up, and costs to the micro-dollar', () => {
  const [record] = read('12125550142,2026-11-03 12:00:00,60.2,$0.0123456').records
  expect(record).toMatchObject({ seconds: 61, costMicroUsd: 12_346 })
})

test('calls that nobody answered are left out', () => {
  expect(read('12125550142,,0,0.00').records).toHaveLength(1)
  expect(read('12125550142,,,').faults).toEqual([])
  expect(read('12125550142,2026-11-03 12:00:00,0,0.01').records[0]).toMatchObject({ costMicroUsd: 10_000 })
})

test.each([
  ['sip:alice,2026-11-03 12:00:00,60,0.01', 'not a number in E.164: "sip:alice"'],
  ['12125550142,03/11/2026 12:00,60,0.01', 'not a time: "03/11/2026 12:00"'],
  ['12125550142,2026-02-30 12:00:00,60,0.01', 'not a time: "2026-02-30 12:00:00"'],
  ['12125550142,2026-11-03 25:00:00,60,0.01', 'not a time: "2026-11-03 25:00:00"'],
  ['12125550142,2026-11-03T12:00:00+99:00,60,0.01', 'not a time: "2026-11-03T12:00:00+99:00"'],
  ['12125550142,2026-11-03 12:00:00,1:00,0.01', 'not seconds: "1:00"'],
  ['12125550142,2026-11-03 12:00:00,60,-0.01', 'not a cost in USD: "-0.01"'],
])('a row that cannot be read is named with its line: %s', (row, what) => {
  const { records, faults } = read(row)
  expect(faults).toEqual([{ line: 2, what }])
  expect(records.map(({ line }) => line)).toEqual([3])
})

test.each([
  ['', 'no column is called called number'],
  ['dst,date', 'no column is called billed seconds'],
  ['dst,seconds', 'no column is called answer time'],
  ['dst,date,seconds', 'no row is an answered call'],
  ['dst,date,seconds\nx,2026-11-03 12:00:00,1', 'no row can be read; line 2: not a number'],
])('a file without what is needed says what it lacks: %j', (csv, message) => {
  expect(() => readCdrFile(csv)).toThrow(message)
})
