import type { RateKind, Tariff, TariffRate } from '#lib/money/tariff.ts'
import { findRate } from '#lib/money/tariff.ts'
import { type Costs, costOf, pricesBelowCost } from './price-list.ts'

/** A prefix priced below what is needed. Micro-dollars a minute. */
export interface TooCheap {
  readonly prefix: string
  readonly isoCode: string
  readonly kind: RateKind
  readonly price: number
  readonly cost: number
  /** Cost plus margin, rounded up to the tariff's precision. */
  readonly needed: number
}

export interface TariffCheck {
  /** Largest loss per minute first. */
  readonly tooCheap: readonly TooCheap[]
  readonly unpriced: readonly TariffRate[]
}

export interface Margins {
  /** Profit in percent of all costs of a minute: 0 or more. */
  readonly percent: number
  /** Cost of the browser's leg. Micro-dollars a minute. */
  readonly legMicroUsd: number
  /** The card's fee on a purchase. Whole cents. */
  readonly card: { readonly feeCents: number; readonly purchaseCents: number }
}

/** Precision of a tariff: a tenth of a cent, in micro-dollars. */
const tariffStep = 1000

/** Pays for both legs and the profit after the card's fee. Micro-dollars a minute, rounded up to a tenth of a cent. */
export function neededPrice(costMicroUsd: number, { percent, legMicroUsd, card }: Margins): number {
  const whole = (costMicroUsd + legMicroUsd) * (100 + percent) * card.purchaseCents
  return Math.ceil(whole / (100 * (card.purchaseCents - card.feeCents) * tariffStep)) * tariffStep
}

/** Compares our prices with our costs, each by a number's longest prefix. */
export function checkTariff(tariff: Tariff, costs: Costs, margins: Margins): TariffCheck {
  const needed = new Map([...costs].map(([prefix, cost]) => [prefix, neededPrice(cost, margins)]))
  const tooCheap = pricesBelowCost(tariff, needed).map(
    ({ prefix, isoCode, price, cost }): TooCheap => ({
      prefix,
      isoCode,
      kind: findRate(tariff, prefix)?.kind ?? 'special',
      price,
      cost: costOf(costs, prefix) ?? cost,
      needed: cost,
    }),
  )
  return {
    tooCheap: tooCheap.sort((one, other) => other.needed - other.price - (one.needed - one.price)),
    unpriced: tariff.rates.filter(
      ({ prefix }) => costOf(costs, prefix) === undefined && !isSplit(costs, prefix),
    ),
  }
}

function isSplit(costs: Costs, prefix: string): boolean {
  for (const longer of costs.keys()) if (longer.startsWith(prefix)) return true
  return false
}
