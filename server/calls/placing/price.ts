import { type CountryRate, countryRate, findRate, type TariffRate } from '#lib/money/tariff.ts'
import type { Services } from '../../context.ts'
import { type CallCosts, costOfCall, maxCostOf } from '../../tariff/call-costs.ts'
import { neededPrice } from '../../tariff/compare.ts'
import { marginsFor } from '../../tariff/margins.ts'

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
 * @returns undefined if we do not sell the number, or if no carrier calls it with what it would show
 */
export function priceCall(
  { tariff, costs, telephony }: PriceTools,
  to: string,
  callerId?: string,
): CallPrice | undefined {
  const rate = findRate(tariff, to)
  if (rate === undefined) return undefined
  const ours = cheapestOf(telephony.publicNumbers, shown => priceWithCallerId(rate, costs, to, shown))
  if (callerId === undefined)
    return ours && { rate, microUsdPerMinute: ours.price, surchargeMicroUsd: 0, shown: ours.shown }
  const price = priceWithCallerId(rate, costs, to, callerId)
  if (price === undefined) return undefined
  return {
    rate,
    microUsdPerMinute: price,
    surchargeMicroUsd: Math.max(0, price - (ours?.price ?? price)),
    shown: callerId,
  }
}

/** Of equals the first, our usual public number. */
function cheapestOf(
  numbers: readonly string[],
  priceOf: (shown: string) => number | undefined,
): { readonly shown: string; readonly price: number } | undefined {
  let best: { readonly shown: string; readonly price: number } | undefined
  for (const shown of numbers) {
    const price = priceOf(shown)
    if (price !== undefined && (best === undefined || price < best.price)) best = { shown, price }
  }
  return best
}

/** Price of calls to a country with one of our numbers. Micro-dollars a minute. */
export interface CountryPrice extends CountryRate {
  /** Max that the user's own caller ID adds to an ordinary rate. */
  readonly maxSurchargeMicroUsd: number
}

/** Ordinary mobiles and landlines with one of our numbers: the median of each. Undefined for a country that we do not call. */
export function priceCountry(tools: PriceTools, isoCode: string): CountryPrice | undefined {
  const country = countryRate(tools.tariff, isoCode)
  if (country === undefined) return undefined
  const prices = tools.tariff.rates
    .filter(rate => rate.isoCode === country.isoCode)
    .flatMap(rate => {
      const price = priceCall(tools, rate.prefix)?.microUsdPerMinute
      return price === undefined ? [] : [{ ...rate, price }]
    })
  if (prices.length === 0) return undefined
  const middle = (kind: TariffRate['kind']): number | undefined => {
    const sorted = prices
      .filter(one => one.kind === kind)
      .map(({ price }) => price)
      .sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]
  }
  const landlineMicroUsd = middle('landline') ?? middle('mobile') ?? country.landlineMicroUsd
  const margins = marginsFor(tools.costs.basis)
  const surcharges = prices
    .filter(({ kind }) => kind !== 'special')
    .map(({ prefix, price }) => neededPrice(maxCostOf(tools.costs, prefix) ?? 0, margins) - price)
  return {
    isoCode: country.isoCode,
    ourRateMicroUsd: middle('mobile') ?? landlineMicroUsd,
    landlineMicroUsd,
    fromMicroUsd: prices.reduce((lowest, { price }) => Math.min(lowest, price), landlineMicroUsd),
    maxSurchargeMicroUsd: surcharges.reduce((highest, one) => Math.max(highest, one), 0),
  }
}

/** Undefined if no carrier takes the call. */
function priceWithCallerId(
  rate: TariffRate,
  costs: CallCosts,
  to: string,
  shown: string,
): number | undefined {
  const cost = costOfCall(costs, to, shown)
  if (cost === undefined) return costs.basis === 'trunks' ? undefined : rate.microUsdPerMinute
  return Math.max(rate.microUsdPerMinute, neededPrice(cost, marginsFor(costs.basis)))
}
