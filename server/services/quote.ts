import type { Reply } from '#lib/api/endpoint.ts'
import type { countryRate as countryContract, numberRate as numberContract } from '#lib/api/rates.ts'
import { areaZone } from '#lib/rules/area-zones.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import { freeCallMinutes } from '#lib/rules/pricing.ts'
import { countryRate, findRate } from '#lib/rules/tariff.ts'
import { onlyZone } from '#lib/rules/time-zones.ts'
import type { Services } from './context.ts'

type Tools = Pick<Services, 'tariff' | 'policy'>

/** What a country costs, or undefined when we do not sell it. */
export function quoteCountry(
  { tariff, policy }: Tools,
  isoCode: string,
): Reply<typeof countryContract> | undefined {
  const rate = countryRate(tariff, isoCode)
  if (rate === undefined) return undefined
  return {
    isoCode: isoCode.toUpperCase(),
    ourRate: microUsdToUsd(rate.ourRateMicroUsd),
    landline: microUsdToUsd(rate.landlineMicroUsd),
    from: microUsdToUsd(rate.fromMicroUsd),
    freeMinutes: freeCallMinutes(rate.ourRateMicroUsd, policy.freeCall),
  }
}

/** What a number (E.164, as far as it is typed, with or without the plus) costs, by longest prefix. */
export function quoteNumber(
  { tariff, policy }: Tools,
  number: string,
): Reply<typeof numberContract> | undefined {
  const rate = findRate(tariff, number)
  if (rate === undefined) return undefined
  const timeZone = onlyZone(rate.isoCode) ?? areaZone(number)
  return {
    isoCode: rate.isoCode,
    ourRate: microUsdToUsd(rate.microUsdPerMinute),
    kind: rate.kind,
    freeMinutes: freeCallMinutes(rate.microUsdPerMinute, policy.freeCall),
    ...(timeZone !== undefined && { timeZone }),
  }
}
