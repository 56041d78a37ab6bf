import { microUsdPerUsd } from '#lib/money/money.ts'
import { findRate, type RateKind, type Tariff, type TariffRate } from '#lib/money/tariff.ts'

/** Prefixes with the same change of rate. Micro-dollars per minute; null: no rate. */
export interface PriceChange {
  readonly isoCode: string
  readonly kind: RateKind
  readonly before: number | null
  readonly after: number | null
  /** E.164 digits without the plus, in file order. */
  readonly prefixes: readonly string[]
}

/** Our cost in micro-dollars per minute by prefix; the longest prefix wins. */
export type Costs = ReadonlyMap<string, number>

/** A rate below our cost. Micro-dollars per minute. */
export interface BelowCost {
  readonly prefix: string
  readonly isoCode: string
  readonly price: number
  readonly cost: number
}

const header = 'prefix,usd_per_min'
const row = /^([1-9]\d{0,14}),(\d{1,3}(?:\.\d{1,6})?)$/

/** A header, then `prefix,usd_per_min`, USD with up to 6 decimals. @throws Error naming a line that is invalid, a duplicate or costs nothing */
export function parseCosts(csv: string): Costs {
  const lines = csv.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines[0] !== header) throw new Error(`costs, line 1: expected the header ${header}`)
  const costs = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue
    const [, prefix, usd] = row.exec(line) ?? []
    if (prefix === undefined || usd === undefined) {
      throw new Error(
        `costs, line ${index + 1}: expected ${header}, found ${JSON.stringify(line.slice(0, 80))}`,
      )
    }
    if (costs.has(prefix)) throw new Error(`costs, line ${index + 1}: duplicate prefix ${prefix}`)
    const microUsdPerMinute = Math.round(Number(usd) * microUsdPerUsd)
    if (microUsdPerMinute === 0) throw new Error(`costs, line ${index + 1}: a cost must be above 0`)
    costs.set(prefix, microUsdPerMinute)
  }
  return costs
}

export function priceChanges(before: Tariff, after: Tariff): PriceChange[] {
  const changes = new Map<string, PriceChange & { readonly prefixes: string[] }>()
  const add = (rate: TariffRate, from: number | null, to: number | null) => {
    const key = [rate.isoCode, rate.kind, from, to].join()
    const { isoCode, kind } = rate
    const change = changes.get(key) ?? { isoCode, kind, before: from, after: to, prefixes: [] }
    change.prefixes.push(rate.prefix)
    changes.set(key, change)
  }
  for (const rate of after.rates) {
    const old = before.byPrefix.get(Number(rate.prefix))
    const same = old?.isoCode === rate.isoCode && old.kind === rate.kind
    if (same && old.microUsdPerMinute === rate.microUsdPerMinute) continue
    if (old !== undefined && !same) add(old, old.microUsdPerMinute, null)
    add(rate, same ? old.microUsdPerMinute : null, rate.microUsdPerMinute)
  }
  for (const rate of before.rates) {
    if (!after.byPrefix.has(Number(rate.prefix))) add(rate, rate.microUsdPerMinute, null)
  }
  return [...changes.values()].sort((one, other) => (one.isoCode < other.isoCode ? -1 : 1))
}

/** Rate and cost go by longest prefix, so checking the prefixes of the two lists covers all numbers. */
export function pricesBelowCost(tariff: Tariff, costs: Costs): BelowCost[] {
  const found: BelowCost[] = []
  for (const prefix of new Set([...tariff.rates.map(rate => rate.prefix), ...costs.keys()])) {
    const rate = findRate(tariff, prefix)
    const cost = costOf(costs, prefix)
    if (rate === undefined || cost === undefined || rate.microUsdPerMinute >= cost) continue
    found.push({ prefix, isoCode: rate.isoCode, price: rate.microUsdPerMinute, cost })
  }
  return found
}

export function costOf(costs: Costs, number: string): number | undefined {
  for (let length = number.length; length > 0; length -= 1) {
    const cost = costs.get(number.slice(0, length))
    if (cost !== undefined) return cost
  }
  return undefined
}
