import { microUsdPerUsd } from '#lib/rules/money.ts'
import { parseTariff, type RateKind, type Tariff, type TariffRate } from '#lib/rules/tariff.ts'
import type { TooCheap } from './compare.ts'

/** Numbers that the proposal does not reprice, because no limit would let anybody call them at that price. */
export interface TooDear {
  readonly prefix: string
  readonly isoCode: string
  readonly needed: number
}

export interface Proposal {
  /** A whole tariff file. */
  readonly csv: string
  readonly tooDear: readonly TooDear[]
}

/**
 * The tariff with every price that is too low raised, none lowered. A country keeps one ordinary price a kind: where at least
 * half of its ranges need more, the ordinary price becomes what the middle one needs; a range that needs more than that becomes
 * a special one of its own.
 * @param highestMicroUsd a price above this is not proposed: those ranges are named instead, for a decision
 */
export function proposeTariff(
  tariff: Tariff,
  tooCheap: readonly TooCheap[],
  highestMicroUsd: number,
): Proposal {
  const tooDear = tooCheap.filter(({ needed }) => needed > highestMicroUsd)
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
  // What cannot be read back is no tariff.
  parseTariff(csv)
  return { csv, tooDear: tooDear.map(({ prefix, isoCode, needed }) => ({ prefix, isoCode, needed })) }
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

/** Of an even number the upper one of the two. */
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
