import { describe, expect, test } from 'vitest'
import { parseTariff } from '#lib/money/tariff.ts'
import { parseCosts, priceChanges, pricesBelowCost } from './price-list.ts'

const tariff = (...rows: string[]) => parseTariff(['prefix,iso,kind,usd_per_min', ...rows, ''].join('\n'))
const costs = (...rows: string[]) => parseCosts(['prefix,usd_per_min', ...rows, ''].join('\n'))

describe('what a price list changes', () => {
  const before = tariff(
    '44,GB,landline,0.020',
    '447,GB,mobile,0.050',
    '4477,GB,mobile,0.050',
    '49,DE,landline,0.030',
  )

  test('nothing, if it is the same in another order', () => {
    expect(
      priceChanges(
        before,
        tariff(
          ...'49,DE,landline,0.030 44,GB,landline,0.020 4477,GB,mobile,0.050 447,GB,mobile,0.050'.split(' '),
        ),
      ),
    ).toEqual([])
  })

  test('lists changes by country, groups prefixes that change alike, and includes new and removed ones', () => {
    const after = tariff(
      '44,GB,landline,0.020',
      '447,GB,mobile,0.060',
      '4477,GB,mobile,0.060',
      '33,FR,landline,0.010',
    )
    expect(priceChanges(before, after)).toEqual([
      { isoCode: 'DE', kind: 'landline', before: 30_000, after: null, prefixes: ['49'] },
      { isoCode: 'FR', kind: 'landline', before: null, after: 10_000, prefixes: ['33'] },
      { isoCode: 'GB', kind: 'mobile', before: 50_000, after: 60_000, prefixes: ['447', '4477'] },
    ])
  })

  test('a prefix of another kind is one that went and one that is new, at the same price too', () => {
    const after = tariff(
      '44,GB,landline,0.020',
      '447,GB,mobile,0.050',
      '4477,GB,special,0.050',
      '49,DE,landline,0.030',
    )
    expect(priceChanges(before, after)).toEqual([
      { isoCode: 'GB', kind: 'mobile', before: 50_000, after: null, prefixes: ['4477'] },
      { isoCode: 'GB', kind: 'special', before: null, after: 50_000, prefixes: ['4477'] },
    ])
  })
})

describe('prices below cost', () => {
  const prices = tariff('44,GB,landline,0.020', '447,GB,mobile,0.050')

  test('a price that is its cost is not below it', () => {
    expect(pricesBelowCost(prices, costs('44,0.02', '447,0.049999'))).toEqual([])
  })

  test('are found at a prefix of the costs that our list does not have, by our longest one', () => {
    expect(pricesBelowCost(prices, costs('44,0.01', '4479,0.05', '44795,0.050001'))).toEqual([
      { prefix: '44795', isoCode: 'GB', price: 50_000, cost: 50_001 },
    ])
  })

  test('are found at a prefix of ours that the costs do not have, by their longest one', () => {
    expect(pricesBelowCost(prices, costs('44,0.03', '4477,0.04'))).toEqual([
      { prefix: '44', isoCode: 'GB', price: 20_000, cost: 30_000 },
    ])
    expect(pricesBelowCost(prices, costs('44,0.06')).map(({ prefix }) => prefix)).toEqual(['44', '447'])
  })

  test('ignores what we do not sell or have no cost of', () => {
    expect(pricesBelowCost(prices, costs('33,9', '4420,0.01'))).toEqual([])
  })
})

test.each([
  ['another header', 'prefix,cost\n44,0.02', 'costs, line 1: expected the header prefix,usd_per_min'],
  [
    'no number',
    'prefix,usd_per_min\n44,0.02\n49,free',
    'costs, line 3: expected prefix,usd_per_min, found "49,free"',
  ],
  ['a cost of nothing', 'prefix,usd_per_min\n44,0.0', 'costs, line 2: a cost must be above 0'],
  ['a prefix twice', 'prefix,usd_per_min\n44,0.02\n44,0.03', 'costs, line 3: duplicate prefix 44'],
])('costs that cannot be read name their line: %s', (_, csv, message) => {
  expect(() => parseCosts(csv)).toThrow(message)
})
