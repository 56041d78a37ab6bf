import { type Costs, pricesBelowCost } from '#lib/rules/price-list.ts'
import type { RateKind, Tariff, TariffRate } from '#lib/rules/tariff.ts'
import { findRate } from '#lib/rules/tariff.ts'

/** Numbers that are sold for less than is needed. Micro-dollars a minute. */
export interface TooCheap {
  readonly prefix: string
  readonly isoCode: string
  readonly kind: RateKind
  readonly price: number
  readonly cost: number
  /** Cost and margin, rounded up to what a tariff can say. */
  readonly needed: number
}

export interface TariffCheck {
  /** Those that lose most a minute first. */
  readonly tooCheap: readonly TooCheap[]
  /** Rates of ours for whose numbers the carrier names no price at all. */
  readonly unpriced: readonly TariffRate[]
}

export interface Margins {
  /** In percent of the cost: 0 or more. */
  readonly percent: number
  /** Micro-dollars a minute that a call costs besides, such as the caller's own leg. */
  readonly plusMicroUsd: number
}

/** A tariff names tenths of a cent. */
const tariffStep = 1000

/** What to charge for a cost: up to the next tenth of a cent, so that rounding loses nothing. */
export function neededPrice(costMicroUsd: number, { percent, plusMicroUsd }: Margins): number {
  const whole = (costMicroUsd + plusMicroUsd) * (100 + percent)
  return Math.ceil(whole / (100 * tariffStep)) * tariffStep
}

/** Compares what we charge with what calls cost, each by the longest prefix of a number. */
export function checkTariff(tariff: Tariff, costs: Costs, margins: Margins): TariffCheck {
  const needed = new Map([...costs].map(([prefix, cost]) => [prefix, neededPrice(cost, margins)]))
  const tooCheap = pricesBelowCost(tariff, needed).map(
    ({ prefix, isoCode, price, cost }): TooCheap => ({
      prefix,
      isoCode,
      kind: findRate(tariff, prefix)?.kind ?? 'special',
      price,
      cost: longestOf(costs, prefix) ?? cost,
      needed: cost,
    }),
  )
  return {
    tooCheap: tooCheap.sort((one, other) => other.needed - other.price - (one.needed - one.price)),
    unpriced: tariff.rates.filter(
      ({ prefix }) => longestOf(costs, prefix) === undefined && !isSplit(costs, prefix),
    ),
  }
}

function longestOf(costs: Costs, number: string): number | undefined {
  for (let length = number.length; length > 0; length -= 1) {
    const cost = costs.get(number.slice(0, length))
    if (cost !== undefined) return cost
  }
  return undefined
}

/** Whether the carrier prices longer prefixes of these numbers. */
function isSplit(costs: Costs, prefix: string): boolean {
  for (const longer of costs.keys()) if (longer.startsWith(prefix)) return true
  return false
}
