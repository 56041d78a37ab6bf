import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { carrierOf } from '#support/trunk/carriers.ts'
import { costOfCall } from '../../tariff/call-costs.ts'
import { readCarrierPrices, trunkCosts } from './carrier-prices.ts'

const directory = mkdtempSync(join(tmpdir(), 'farline-carriers-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const ours = '+442079460000'
const user = '+12125550199'

function carrier(name: string, rows: string, callerIds: 'any' | 'ours' = 'any') {
  const prices = join(directory, `${name}.csv`)
  writeFileSync(prices, rows)
  return carrierOf({ name, set: 1, prices, callerIds })
}

test('a call costs what the cheapest carrier asks that takes the number shown', () => {
  const carriers = [
    carrier('blue', 'prefixes,callers,usd_per_min\n49,,0.01\n', 'ours'),
    carrier('red', 'prefixes,callers,usd_per_min\n491,,0.02\n'),
  ]
  const costs = trunkCosts(readCarrierPrices({ carriers }), [ours])
  expect(costOfCall(costs, '+4915123456789', ours)).toBe(10_000)
  expect(costOfCall(costs, '+4915123456789', user)).toBe(20_000)
  expect(costOfCall(costs, '+4930123456', user)).toBeUndefined()
})

test('a carrier without a list that can be read is named, with how to import one', () => {
  const missing = carrierOf({ name: 'blue', set: 1, prices: join(directory, 'nowhere.csv') })
  const broken = carrier('red', 'prefix,usd_per_min\n49,0.01\n')
  expect(() => readCarrierPrices({ carriers: [missing] })).toThrow(
    /carrier blue cannot be read: .*nowhere\.csv.* --carrier blue --import/,
  )
  expect(() => readCarrierPrices({ carriers: [broken] })).toThrow(/carrier red .*line 1: expected the header/)
})
