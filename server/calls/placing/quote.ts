import type { Reply } from '#lib/api/endpoint.ts'
import type { countryRate as countryContract, numberRate as numberContract } from '#lib/api/rates.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import { freeCallMinutes } from '#lib/money/pricing.ts'
import { areaZone } from '#lib/numbers/area-zones.ts'
import { onlyZone } from '#lib/numbers/time-zones.ts'
import type { Services } from '../../context.ts'
import { type PriceTools, priceCall, priceCountry } from './price.ts'

type Tools = PriceTools & Pick<Services, 'policy'>

/** Rates of a country, with our number shown; undefined if we do not serve it. */
export function quoteCountry(tools: Tools, isoCode: string): Reply<typeof countryContract> | undefined {
  const rate = priceCountry(tools, isoCode)
  if (rate === undefined) return undefined
  return {
    isoCode: isoCode.toUpperCase(),
    ourRate: microUsdToUsd(rate.ourRateMicroUsd),
    landline: microUsdToUsd(rate.landlineMicroUsd),
    from: microUsdToUsd(rate.fromMicroUsd),
    freeMinutes: freeCallMinutes(rate.ourRateMicroUsd, tools.policy.freeCall),
    ...(rate.maxSurchargeMicroUsd > 0 && { maxSurcharge: microUsdToUsd(rate.maxSurchargeMicroUsd) }),
  }
}

/** @param number E.164, possibly incomplete, with or without the plus @param callerId undefined: our number */
export function quoteNumber(
  tools: Tools,
  number: string,
  callerId?: string,
): Reply<typeof numberContract> | undefined {
  const price = priceCall(tools, number, callerId)
  if (price === undefined) return undefined
  const { rate, microUsdPerMinute, surchargeMicroUsd } = price
  const timeZone = onlyZone(rate.isoCode) ?? areaZone(number)
  return {
    isoCode: rate.isoCode,
    ourRate: microUsdToUsd(microUsdPerMinute),
    ...(surchargeMicroUsd > 0 && { surcharge: microUsdToUsd(surchargeMicroUsd) }),
    kind: rate.kind,
    freeMinutes: freeCallMinutes(microUsdPerMinute, tools.policy.freeCall),
    ...(timeZone !== undefined && { timeZone }),
  }
}
