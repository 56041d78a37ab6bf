import { microUsdPerUsd } from '#lib/money/money.ts'
import { parseTariff, type RateKind, type Tariff, type TariffRate } from '#lib/money/tariff.ts'
import type { TooCheap } from './compare.ts'

/** A prefix that is not repriced, because no limit on rates would allow calls at the needed price. */
export interface TooExpensive {
  readonly prefix: string
  readonly isoCode: string
  readonly needed: number
}

export interface Proposal {
  readonly csv: string
  readonly tooExpensive: readonly TooExpensive[]
}

/**
 * The tariff with every price raised that is too low, and none lowered. If at least half of a country's ranges of a
 * kind need more, their median becomes the ordinary price; ranges that need more than that become special.
 * @param highestMicroUsd ranges above this price are only listed
 */
export function proposeTariff(
  tariff: Tariff,
  tooCheap: readonly TooCheap[],
  highestMicroUsd: number,
): Proposal {
  const tooExpensive = tooCheap.filter(({ needed }) => needed > highestMicroUsd)
  const needs = new Map(
    tooCheap.filter(({ needed }) => needed <= highestMicroUsd).map(one => [one.prefix, one]),
  )
  const ordinary = ordinaryPrices(tariff, needs)
  const raised = tariff.rates.map(rate => raise(rate, needs.get(rate.prefix), ordinary))
  const known = new Set(tariff.rates.map(({ prefix }) => prefix))
  const added = [...needs.values()]
    .filter(
      ({ prefix, isoCode, kind, needed }) =>
        !known.has(prefix) && needed > (ordinary.get(isoCode + kind) ?? 0),
    )
    .map(
      ({ prefix, isoCode, needed }): TariffRate => ({
        prefix,
        isoCode,
        kind: 'special',
        microUsdPerMinute: needed,
      }),
    )
  const rates = [...raised, ...added].sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
  const csv = ['prefix,iso,kind,usd_per_min', ...rates.map(lineOf), ''].join('\n')
  // Fail on a tariff that cannot be parsed back.
  parseTariff(csv)
  return {
    csv,
    tooExpensive: tooExpensive.map(({ prefix, isoCode, needed }) => ({ prefix, isoCode, needed })),
  }
}

function ordinaryPrices(tariff: Tariff, needs: ReadonlyMap<string, TooCheap>): ReadonlyMap<string, number> {
  const groups = new Map<string, number[]>()
  for (const { prefix, isoCode, kind, microUsdPerMinute } of tariff.rates) {
    if (kind === 'special') continue
    const group = groups.get(isoCode + kind) ?? []
    group.push(needs.get(prefix)?.needed ?? microUsdPerMinute)
    groups.set(isoCode + kind, group)
  }
  return new Map([...groups].map(([key, prices]) => [key, middleOf(prices)]))
}

/** The upper median. */
function middleOf(prices: readonly number[]): number {
  return prices.toSorted((a, b) => a - b)[Math.floor(prices.length / 2)] ?? 0
}

function raise(
  rate: TariffRate,
  need: TooCheap | undefined,
  ordinary: ReadonlyMap<string, number>,
): TariffRate {
  if (rate.kind === 'special') {
    return { ...rate, microUsdPerMinute: Math.max(rate.microUsdPerMinute, need?.needed ?? 0) }
  }
  const price = ordinary.get(rate.isoCode + rate.kind) ?? rate.microUsdPerMinute
  if (need !== undefined && need.needed > price) {
    return { ...rate, kind: 'special' satisfies RateKind, microUsdPerMinute: need.needed }
  }
  return { ...rate, microUsdPerMinute: price }
}

function lineOf({ prefix, isoCode, kind, microUsdPerMinute }: TariffRate): string {
  return `${prefix},${isoCode},${kind},${(microUsdPerMinute / microUsdPerUsd).toFixed(3)}`
}
