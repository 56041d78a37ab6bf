import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { csvRows } from '#lib/csv-rows.ts'
import {
  callCostsOf,
  costOfCall,
  costRowsCsv,
  costsWithCallerId,
  parseCostRows,
  readCostList,
} from '#server/tariff/call-costs.ts'
import { readPriceFile } from '#server/telephony/twilio/pricing.ts'

const header = 'ISO,Country,Description,Price / min,Origination Prefixes,Destination Prefixes'
const file = readFileSync(join(import.meta.dirname, 'outbound.csv'), 'utf8')

describe('rows of a CSV file', () => {
  test('cells in quotes hold commas, quotes and line ends; a row knows its line', () => {
    expect(csvRows('\ufeffa,b\r\n"1,2","say ""hi""\nthere"\r\n\r\nc,')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1,2', 'say "hi"\nthere'] },
      { line: 5, cells: ['c', ''] },
    ])
  })

  test('quotes that do not end are named', () => {
    expect(() => csvRows('a\n"b')).toThrow('line 2')
  })
})

describe("the carrier's price list", () => {
  const { rows, faults } = readPriceFile(file)
  const costs = callCostsOf(rows)

  test('each prefix of a row has its price, in micro-dollars', () => {
    expect(faults).toEqual([])
    expect(Object.fromEntries(costsWithCallerId(costs, 'most_expensive'))).toEqual({
      1: 14_000,
      44: 15_800,
      442: 15_800,
      447: 26_500,
      4474: 26_500,
      43: 155_000,
      4366: 240_000,
    })
  })

  test.each([
    ['a caller in the EEA', '+4312345', 16_000, 45_000],
    ['one in the United States', '+12125550100', 16_000, 45_000],
    ['one in the Bahamas, whose prefix is longer', '+12425550100', 155_000, 45_000],
    ['anybody else', '+442079460958', 155_000, 240_000],
  ])(
    '%s has the price of the row that names them, or of the one that names nobody',
    (_, caller, landline, mobile) => {
      expect(costOfCall(costs, '+4312345678', caller)).toBe(landline)
      expect(costOfCall(costs, '+436641234567', caller)).toBe(mobile)
    },
  )

  test('a call that no row is for has no cost', () => {
    expect(costOfCall(costs, '+33123456789', '+12125550100')).toBeUndefined()
    const some = callCostsOf([{ prefixes: ['33'], callers: ['49'], microUsdPerMinute: 1 }])
    expect(costOfCall(some, '+33123456789', '+12125550100')).toBeUndefined()
  })

  test('a prefix that has no row for a caller leaves it to a shorter one', () => {
    const split = callCostsOf([
      { prefixes: ['33'], callers: [], microUsdPerMinute: 5 },
      { prefixes: ['336'], callers: ['49'], microUsdPerMinute: 9 },
    ])
    expect(costOfCall(split, '33612345678', '4930123456')).toBe(9)
    expect(costOfCall(split, '33612345678', '12125550100')).toBe(5)
  })

  test('without a caller each prefix has its cheapest or its most expensive row', () => {
    expect(costsWithCallerId(costs, 'cheapest').get('43')).toBe(16_000)
    expect(costsWithCallerId(costs, 'most_expensive').get('43')).toBe(155_000)
    expect(costsWithCallerId(costs, '+4312345').get('43')).toBe(16_000)
  })

  test('the words of the Pricing API for all other callers are understood', () => {
    const api = readPriceFile(
      `${header}\nDE,Germany,x,0.01,"49, 43",49\nDE,Germany,x,0.2,ROW,49\nFR,France,x,0.3,ALL,33\n`,
    )
    expect(api.rows.map(({ callers }) => callers)).toEqual([['49', '43'], [], []])
  })

  test('imported prices are read back unchanged', () => {
    expect(parseCostRows(costRowsCsv(rows))).toEqual(rows)
  })

  test('columns are found by their names, whatever their order', () => {
    const columns = readPriceFile(
      'Destination Prefixes,Price / min,ISO,Description,Origination Prefixes\n33,$0.02,FR,France,\n',
    )
    expect(columns.rows).toEqual([{ prefixes: ['33'], callers: [], microUsdPerMinute: 20_000 }])
  })

  test.each([
    ['FRANCE,France,x,0.01,,33', 'country'],
    ['FR,France,x,a cent,,33', 'price'],
    ['FR,France,x,-0.01,,33', 'price'],
    ['FR,France,x,0.0000001,,33', 'price'],
    ['FR,France,x,0.01,,', 'prefix'],
    ['FR,France,x,0.01,,"33, +34"', 'prefix'],
    ['FR,France,x,0.01,EEA,33', 'prefix'],
    ['FR,France', 'price'],
    ['FR,France,x,0,,33', 'a cost must be above 0'],
    ['FR,France,x,0.02,,49', 'prefix 49 has another price already'],
    ['FR,France,x,0.02,,"33 49"', 'prefix 49 has another price already'],
  ])('a row that cannot be read is named, and is no price: %s', (row, what) => {
    const bad = readPriceFile(`${header}\nDE,Germany,x,0.01,,49\n${row}\n`)
    expect(bad.faults).toEqual([{ line: 3, what: expect.stringContaining(what) }])
    expect(bad.rows.flatMap(({ prefixes }) => prefixes)).toEqual(['49'])
  })

  test('a prefix may have prices of its own for other callers, and the same one twice', () => {
    const several = `DE,Germany,x,0.01,,49\nDE,Germany,x,0.02,49,49\nDE,Germany,x,0.03,43,49\nDE,Germany,x,0.01,,"49 33"\n`
    expect(readPriceFile(`${header}\n${several}`).faults).toEqual([])
    const twice = readPriceFile(`${header}\n${several}DE,Germany,x,0.04,"1 43",49\n`)
    expect(twice.faults).toEqual([{ line: 6, what: 'prefix 49 has another price already for callers 43' }])
  })

  test('rejects a file of another kind whole', () => {
    const other = readPriceFile('prefix,usd_per_min\n33,0.02\n')
    expect(other.rows).toEqual([])
    expect(other.faults).toEqual([{ line: 1, what: expect.stringContaining('Destination Prefixes') }])
  })
})

test('costs by hand are one price for each prefix, or our own file with its cheapest callers', () => {
  expect(Object.fromEntries(readCostList('prefix,usd_per_min\n33,0.02\n'))).toEqual({ 33: 20_000 })
  const own = 'prefixes,callers,usd_per_min\n43 436,49,0.02\n43,,0.3\n'
  expect(Object.fromEntries(readCostList(own))).toEqual({ 43: 20_000, 436: 20_000 })
})

test.each([
  ['another header', 'prefix,usd_per_min\n33,0.02\n', 'line 1: expected the header'],
  ['a price that is none', 'prefixes,callers,usd_per_min\n33,,0.02\n34,,free\n', 'line 3: expected'],
  ['a caller that is none', 'prefixes,callers,usd_per_min\n33,EEA,0.02\n', 'line 2: expected'],
  ['no prefix', 'prefixes,callers,usd_per_min\n,49,0.02\n', 'line 2: expected'],
  [
    'a price of nothing',
    'prefixes,callers,usd_per_min\n33,,0.02\n34,,0.000\n',
    'line 3: a cost must be above 0',
  ],
  [
    'a prefix with two prices',
    'prefixes,callers,usd_per_min\n33 34,,0.02\n35 34,,0.03\n',
    'line 3: prefix 34 has another price already',
  ],
  [
    'a prefix with two prices for the same callers',
    'prefixes,callers,usd_per_min\n33,49 43,0.02\n33,,0.05\n33,43,0.03\n',
    'line 4: prefix 33 has another price already for callers 43',
  ],
])('a file of known costs that cannot be read names its line: %s', (_, csv, message) => {
  expect(() => parseCostRows(csv)).toThrow(message)
})
