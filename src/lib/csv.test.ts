import fc from 'fast-check'
import { expect, test } from 'vitest'
import { billingCsv } from '#islands/billing-history/billing-csv.ts'
import { csvOf } from './csv.ts'

/** Reads a file as RFC 4180 says, so that what is written is checked by another hand. */
function read(csv: string): string[][] {
  const rows: string[][] = []
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  let row: string[] = []
  for (const [, quoted, plain = '', end] of csv.slice(1).matchAll(cells)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test.each([
  ['=cmd|calc', "'=cmd|calc"],
  ['+12125550100', "'+12125550100"],
  ['-2+3', "'-2+3"],
  ['@sum', "'@sum"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['\tcmd', "'\tcmd"],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['-12.50', '-12.50'],
  ['0.02', '0.02'],
  ['a "b", c', 'a "b", c'],
])('%j is read as %j', (given, expected) => {
  expect(read(csvOf([given], []))).toEqual([[expected]])
})

/** REL-35. */
test('keeps cells of any content whole, and lets none begin a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 }), { maxLength: 5 }),
      rows => {
        const back = read(csvOf(['a', 'b'], rows))
        expect(back.slice(1).map(row => row.map(cell => cell.replace(/^'/, '')))).toEqual(
          rows.map(row => row.map(cell => cell.replace(/^'/, ''))),
        )
        for (const cell of back.flat()) {
          if (/^\s*[=+\-@]/.test(cell)) expect(cell).toMatch(/^-\d+(\.\d+)?$/)
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('a number is a plain number, as long as it is', () => {
  expect(csvOf(['n'], [[-0.5], [1_234_567_890_123]])).toBe('\ufeffn\r\n-0.5\r\n1234567890123\r\n')
})

test('transfers are rows of plain numbers, exact to the micro-dollar', () => {
  const csv = billingCsv([
    {
      id: '2',
      kind: 'call',
      description: 'Call',
      amount: -0.000001,
      balance: 51.999999,
      at: '2026-11-21T10:00:00.000Z',
      call: { id: 'c', to: '+12125550100', minutes: 1, live: false },
      payment: null,
    },
    {
      id: '1',
      kind: 'payment',
      description: 'Credits bought',
      amount: 52,
      balance: 52,
      at: '2026-11-21T09:00:00.000Z',
      call: null,
      payment: { id: 'p', receipt: 'F-2026-0001', refund: 'open' },
    },
  ])
  expect(csv.startsWith('\ufeffDate (UTC),')).toBe(true)
  expect(read(csv).slice(1)).toEqual([
    ['2026-11-21T10:00:00.000Z', 'Call', '-0.000001', '51.999999', "'+12125550100", '1', '', '', 'c'],
    ['2026-11-21T09:00:00.000Z', 'Credits bought', '52.00', '52.00', '', '', 'F-2026-0001', 'p', ''],
  ])
})
