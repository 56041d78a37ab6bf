import { type CountryRate, countryRate, findRate, type TariffRate } from '#lib/money/tariff.ts'
import type { Services } from '../../context.ts'
import { type CallCosts, costOfCall, maxCostOf } from '../../tariff/call-costs.ts'
import { neededPrice } from '../../tariff/compare.ts'
import { ownMargins } from '../../tariff/margins.ts'

export type PriceTools = Pick<Services, 'tariff' | 'costs'> & {
  readonly telephony: Pick<Services['telephony'], 'publicNumbers'>
}

/** Price of one call, by callee number and caller ID. Micro-dollars a minute. */
export interface CallPrice {
  readonly rate: TariffRate
  /** The price charged: at least the tariff's, and never below our cost. */
  readonly microUsdPerMinute: number
  /** The part added by the caller ID; 0 if the call shows one of our numbers. */
  readonly surchargeMicroUsd: number
  /** The number shown: the caller ID, or our cheapest public number for this call. */
  readonly shown: string
}

/**
 * The only place that prices a call (ADR-55).
 * @param to E.164, possibly incomplete, with or without the plus
 * @param callerId the user's own number, E.164; undefined: one of our numbers
 * @returns undefined if we do not sell the number
 */
export function priceCall(
  { tariff, costs, telephony }: PriceTools,
  to: string,
  callerId?: string,
): CallPrice | undefined {
  const rate = findRate(tariff, to)
  if (rate === undefined) return undefined
  const [first, ...others] = telephony.publicNumbers.map(shown => ({
    shown,
    price: priceWithCallerId(rate, costs, to, shown),
  }))
  if (first === undefined) throw new Error('the network has no public number')
  // Of equals the first, our usual public number.
  const ours = others.reduce((best, one) => (one.price < best.price ? one : best), first)
  if (callerId === undefined)
    return { rate, microUsdPerMinute: ours.price, surchargeMicroUsd: 0, shown: ours.shown }
  const price = priceWithCallerId(rate, costs, to, callerId)
  return {
    rate,
    microUsdPerMinute: price,
    surchargeMicroUsd: Math.max(0, price - ours.price),
    shown: callerId,
  }
}

/** Price of calls to a country with one of our numbers. Micro-dollars a minute. */
export interface CountryPrice extends CountryRate {
  /** Max that the user's own caller ID adds to an ordinary rate. */
  readonly maxSurchargeMicroUsd: number
}

/** Price of ordinary mobiles and landlines with one of our numbers: the median of each kind. Undefined for an unknown country. */
export function priceCountry(tools: PriceTools, isoCode: string): CountryPrice | undefined {
  const country = countryRate(tools.tariff, isoCode)
  if (country === undefined) return undefined
  const prices = tools.tariff.rates
    .filter(rate => rate.isoCode === country.isoCode)
    .map(rate => ({ ...rate, price: priceCall(tools, rate.prefix)?.microUsdPerMinute ?? 0 }))
  const middle = (kind: TariffRate['kind']): number | undefined => {
    const sorted = prices
      .filter(one => one.kind === kind)
      .map(({ price }) => price)
      .sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]
  }
  const landlineMicroUsd = middle('landline') ?? middle('mobile') ?? country.landlineMicroUsd
  const surcharges = prices
    .filter(({ kind }) => kind !== 'special')
    .map(({ prefix, price }) => neededPrice(maxCostOf(tools.costs, prefix) ?? 0, ownMargins) - price)
  return {
    isoCode: country.isoCode,
    ourRateMicroUsd: middle('mobile') ?? landlineMicroUsd,
    landlineMicroUsd,
    fromMicroUsd: prices.reduce((lowest, { price }) => Math.min(lowest, price), landlineMicroUsd),
    maxSurchargeMicroUsd: surcharges.reduce((highest, one) => Math.max(highest, one), 0),
  }
}

function priceWithCallerId(rate: TariffRate, costs: CallCosts, to: string, shown: string): number {
  const cost = costOfCall(costs, to, shown)
  return Math.max(rate.microUsdPerMinute, cost === undefined ? 0 : neededPrice(cost, ownMargins))
}
