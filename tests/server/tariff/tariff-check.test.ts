import { describe, expect, test } from 'vitest'
import { findRate, parseTariff } from '#lib/money/tariff.ts'
import { pricePolicy } from '#server/config/policy.ts'
import { checkTariff, neededPrice } from '#server/tariff/compare.ts'
import { marginsOf, marginsWithBonus, ownMargins } from '#server/tariff/margins.ts'
import { pricesBelowCost } from '#server/tariff/price-list.ts'
import { proposeTariff } from '#server/tariff/propose.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'

const bare = { percent: 0, legMicroUsd: 0, card: { feeCents: 0, purchaseCents: 1000 } }
const highest = 3_600_000
const tariff = parseTariff(
  [
    'prefix,iso,kind,usd_per_min',
    '331,FR,landline,0.014',
    '332,FR,landline,0.014',
    '333,FR,landline,0.014',
    '336,FR,mobile,0.021',
    '338,FR,special,0.100',
    '491,DE,mobile,0.021',
    '',
  ].join('\n'),
)
const costs = (list: Readonly<Record<string, number>>) => new Map(Object.entries(list))

describe('what a price has to be', () => {
  test.each([
    [14_000, bare, 14_000],
    [14_001, bare, 15_000],
    [26_500, { ...bare, percent: 10 }, 30_000],
    [10_000, { ...bare, percent: 10 }, 11_000],
    [15_800, { ...bare, legMicroUsd: 4_000 }, 20_000],
    [14_000, ownMargins, 20_000],
    [14_820, ownMargins, 20_000],
    [14_821, ownMargins, 21_000],
    [47_300, ownMargins, 55_000],
    [0, bare, 0],
  ])('for a cost of %i micro-dollars with %o it is %i: never rounded down', (cost, margins, needed) => {
    expect(neededPrice(cost, margins)).toBe(needed)
  })
})

test('a card takes 59 cents of $10, and with a bonus what is left pays for more credits', () => {
  expect(ownMargins).toEqual({ percent: 0, legMicroUsd: 4_000, card: { feeCents: 59, purchaseCents: 1_000 } })
  // $100 leave $96.80, which pay for 110 credits.
  expect(marginsWithBonus(pricePolicy, 100).card).toEqual({ feeCents: 1_320, purchaseCents: 11_000 })
  expect(marginsOf(pricePolicy, 5).card).toEqual({ feeCents: 45, purchaseCents: 500 })
})

test('what is sold below its cost or margin is named, what loses most first', () => {
  const list = costs({ 33: 12_000, 336: 40_000, 3361: 90_000, 49: 20_000 })
  const named = (percent: number) =>
    checkTariff(tariff, list, { ...bare, percent }).tooCheap.map(({ prefix }) => prefix)
  expect(named(0)).toEqual(['3361', '336'])
  expect(named(10)).toEqual(['3361', '336', '491'])
  expect(checkTariff(tariff, list, bare).tooCheap[0]).toEqual({
    prefix: '3361',
    isoCode: 'FR',
    kind: 'mobile',
    price: 21_000,
    cost: 90_000,
    needed: 90_000,
  })
})

test('our prefixes of which the file has no price are named, those it splits are not', () => {
  const { unpriced } = checkTariff(tariff, costs({ 331: 1, 332: 1, 3331: 1, 33: 1 }), bare)
  expect(unpriced.map(({ prefix }) => prefix)).toEqual(['491'])
  const split = checkTariff(tariff, costs({ 49151: 1 }), bare).unpriced
  expect(split.map(({ prefix }) => prefix)).not.toContain('491')
})

describe('a proposed tariff', () => {
  const propose = (list: Readonly<Record<string, number>>) => {
    const { tooCheap } = checkTariff(tariff, costs(list), bare)
    const { csv, tooExpensive } = proposeTariff(tariff, tooCheap, highest)
    return { proposed: parseTariff(csv), tooExpensive }
  }

  test('raises the ordinary price where most ranges need it', () => {
    const { proposed } = propose({ 33: 16_000 })
    expect(proposed.byIso.get('FR')).toMatchObject({ landlineMicroUsd: 16_000, ourRateMicroUsd: 21_000 })
  })

  test('makes one expensive range among cheap ones special, even one that only the carrier has', () => {
    const { proposed } = propose({ 33: 10_000, 333: 50_000, 3366: 70_000 })
    expect(findRate(proposed, '3330')).toMatchObject({ kind: 'special', microUsdPerMinute: 50_000 })
    expect(findRate(proposed, '3366')).toMatchObject({ kind: 'special', microUsdPerMinute: 70_000 })
    expect(findRate(proposed, '3361')).toMatchObject({ kind: 'mobile', microUsdPerMinute: 21_000 })
    expect(proposed.byIso.get('FR')?.landlineMicroUsd).toBe(14_000)
  })

  test('leaves alone and names what nobody could call at that price', () => {
    const { proposed, tooExpensive } = propose({ 338: 4_000_000 })
    expect(tooExpensive).toEqual([{ prefix: '338', isoCode: 'FR', needed: 4_000_000 }])
    expect(findRate(proposed, '338')?.microUsdPerMinute).toBe(100_000)
  })

  test('of the real tariff: nothing falls, and nothing is below cost any more', () => {
    const real = readTariff()
    const list = new Map(
      real.rates.map((rate, n) => [rate.prefix, rate.microUsdPerMinute + (n % 7) * 3_300 - 9_000]),
    )
    const { tooCheap } = checkTariff(real, list, bare)
    expect(tooCheap.length).toBeGreaterThan(100)
    const { csv, tooExpensive } = proposeTariff(real, tooCheap, highest)
    expect(tooExpensive).toEqual([])
    const proposed = parseTariff(csv)
    expect(pricesBelowCost(proposed, list)).toEqual([])
    for (const { prefix, microUsdPerMinute } of real.rates) {
      expect(findRate(proposed, prefix)?.microUsdPerMinute).toBeGreaterThanOrEqual(microUsdPerMinute)
    }
  })
})
