import * as z from 'zod/mini'
import { company } from '../company.ts'
import { csvLines, csvUsd } from '../csv.ts'
import { microUsdToUsd } from '../money/money.ts'
import { defaultFreeCallTerms, freeCallMinutes } from '../money/pricing.ts'
import { countryRate, type Tariff } from '../money/tariff.ts'
import { countries } from '../numbers/countries.ts'

/** Stable URLs: other people's programs read them. */
export const ratesJsonPath = '/rates.json'
export const ratesCsvPath = '/rates.csv'
export const tariffCsvPath = '/tariff.csv'

const publicRate = z.object({
  country: z.string(),
  isoCode: z.string(),
  /** With the plus; a country with several dial codes has one entry for each. */
  dialCode: z.string(),
  mobile: z.number(),
  landline: z.number(),
  /** The rate shown as the country's (PD-15): its mobile rate. */
  ourRate: z.number(),
  from: z.number(),
  freeMinutes: z.number(),
})
type PublicRate = z.output<typeof publicRate>

/** Content of `/rates.json`. Money in USD per minute. */
export const publicRates = z.object({
  source: z.string(),
  currency: z.literal('USD'),
  unit: z.literal('minute'),
  validFrom: z.nullable(z.string()),
  licence: z.string(),
  freeCall: z.object({ worthUsd: z.number(), longestMinutes: z.number() }),
  rates: z.array(publicRate),
})
export type PublicRates = z.output<typeof publicRates>

const licence = `You may use and republish these prices if you name ${company.name} as their source. A call costs what the site says when you place it.`

/**
 * @param source URL of the site
 * @param validFrom first day of the tariff, `2026-11-21`; null if unknown
 * @throws Error if the tariff lacks a listed country
 */
export function publicRatesOf(tariff: Tariff, source: string, validFrom: string | null): PublicRates {
  const { worthMicroUsd, longestMinutes } = defaultFreeCallTerms
  return {
    source,
    currency: 'USD',
    unit: 'minute',
    validFrom,
    licence,
    freeCall: { worthUsd: microUsdToUsd(worthMicroUsd), longestMinutes },
    rates: countries.map(({ name, isoCode, dialCode }): PublicRate => {
      const rate = countryRate(tariff, isoCode)
      if (rate === undefined) throw new Error(`the tariff has no rate for ${isoCode}`)
      const ourRate = microUsdToUsd(rate.ourRateMicroUsd)
      return {
        country: name,
        isoCode,
        dialCode,
        mobile: ourRate,
        landline: microUsdToUsd(rate.landlineMicroUsd),
        ourRate,
        from: microUsdToUsd(rate.fromMicroUsd),
        freeMinutes: freeCallMinutes(rate.ourRateMicroUsd),
      }
    }),
  }
}

const columns = [
  'country',
  'iso_code',
  'dial_code',
  'mobile',
  'landline',
  'our_rate',
  'from',
  'free_minutes',
  'currency',
  'valid_from',
  'licence',
] as const

/** UTF-8 without a byte order mark. Dial codes have no plus, which spreadsheets take for a formula. */
export function publicRatesCsv({ currency, validFrom, licence: terms, rates }: PublicRates): string {
  return csvLines([
    columns,
    ...rates.map(rate => [
      rate.country,
      rate.isoCode,
      rate.dialCode.slice(1),
      csvUsd(rate.mobile),
      csvUsd(rate.landline),
      csvUsd(rate.ourRate),
      csvUsd(rate.from),
      rate.freeMinutes,
      currency,
      validFrom ?? '',
      terms,
    ]),
  ])
}
