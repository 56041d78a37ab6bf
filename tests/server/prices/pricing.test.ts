import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { csvRows } from '#server/telephony/twilio/csv-rows.ts'
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

describe("the vendor's price list", () => {
  test('each prefix of a row has its price, in micro-dollars', () => {
    const { costs, faults } = readPriceFile(file)
    expect(faults).toEqual([])
    expect(Object.fromEntries(costs)).toEqual({
      1: 14_000,
      44: 15_800,
      442: 15_800,
      447: 26_500,
      4474: 26_500,
      43: 530_000,
    })
  })

  test('where the caller counts, the row that names them does, and without one the dearest', () => {
    expect(readPriceFile(file, '431').costs.get('43')).toBe(45_000)
    expect(readPriceFile(file, '12').costs.get('43')).toBe(530_000)
    expect(readPriceFile(file).costs.get('43')).toBe(530_000)
  })

  test('columns are found by their names, whatever their order', () => {
    const { costs } = readPriceFile(
      'Destination Prefixes,Price / min,ISO,Description,Origination Prefixes\n33,$0.02,FR,France,\n',
    )
    expect(Object.fromEntries(costs)).toEqual({ 33: 20_000 })
  })

  test.each([
    ['FRANCE,France,x,0.01,,33', 'country'],
    ['FR,France,x,a cent,,33', 'price'],
    ['FR,France,x,-0.01,,33', 'price'],
    ['FR,France,x,0.0000001,,33', 'price'],
    ['FR,France,x,0.01,,', 'prefix'],
    ['FR,France,x,0.01,,"33, +34"', 'prefix'],
    ['FR,France', 'price'],
  ])('a row that cannot be read is named, and is no price: %s', (row, what) => {
    const { costs, faults } = readPriceFile(`${header}\nDE,Germany,x,0.01,,49\n${row}\n`)
    expect(faults).toEqual([{ line: 3, what: expect.stringContaining(what) }])
    expect([...costs.keys()]).toEqual(['49'])
  })

  test('a file of another kind is refused whole', () => {
    const { costs, faults } = readPriceFile('prefix,usd_per_min\n33,0.02\n')
    expect(costs.size).toBe(0)
    expect(faults).toEqual([{ line: 1, what: expect.stringContaining('Destination Prefixes') }])
  })
})
