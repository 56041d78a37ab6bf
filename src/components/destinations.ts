import { readFileSync } from 'node:fs'
import { countryOfIso } from '#lib/rules/countries.ts'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import { freeCallMinutes } from '#lib/rules/pricing.ts'
import { countryRate, parseTariff } from '#lib/rules/tariff.ts'

/** A country with what it costs to call its mobiles, as the pages print it. */
export interface Destination {
  readonly isoCode: string
  readonly name: string
  readonly emoji: string
  readonly dialCode: string
  readonly microUsdPerMinute: number
  /** The same rate as a stamp's face value: `2.0¢`. */
  readonly centsPerMinute: string
  readonly landlineMicroUsdPerMinute: number
  /** Micro-dollars per minute of the cheapest range. */
  readonly fromMicroUsd: number
  /** Whole minutes that a first call to a mobile there is free for; 0 when it is not eligible. */
  readonly freeMinutes: number
}

/** What our calls cost, as it stands in the published file. */
export const tariff = parseTariff(readFileSync('public/tariff.csv', 'utf8'))

const microUsdPerCent = 10_000

/** @throws Error when the country is not one we list or sell: a page names only those that are. */
export function destinationOf(isoCode: string): Destination {
  const country = countryOfIso(isoCode)
  const rate = countryRate(tariff, isoCode)
  if (!country || !rate) throw new Error(`no destination ${isoCode} in the country list or the tariff`)
  const microUsdPerMinute = rate.ourRateMicroUsd
  return {
    isoCode: country.isoCode,
    name: country.name,
    emoji: country.emoji,
    dialCode: country.dialCode,
    microUsdPerMinute,
    centsPerMinute: faceValue(microUsdPerMinute),
    landlineMicroUsdPerMinute: rate.landlineMicroUsd,
    fromMicroUsd: rate.fromMicroUsd,
    freeMinutes: freeCallMinutes(microUsdPerMinute),
  }
}

/** A price per minute as stamps carry it: `2.4¢`, from a dollar on `$1.14`. Nothing of it is rounded away. */
export function faceValue(microUsdPerMinute: number): string {
  return microUsdPerMinute < microUsdPerUsd
    ? `${(microUsdPerMinute / microUsdPerCent).toFixed(1)}¢`
    : `$${(microUsdPerMinute / microUsdPerUsd).toFixed(3).replace(/0$/, '')}`
}

/** Where a country's own page is. */
export function countryPath(isoCode: string): string {
  return `/calling/${isoCode.toLowerCase()}`
}

/** How long a first call to any of some destinations is free (decision 20: every rate shown says so). */
export function freeMinutesText(freeMinutes: readonly number[]): string {
  const shortest = Math.min(...freeMinutes)
  const longest = Math.max(...freeMinutes)
  if (longest === 0) return 'The free first call reaches none of these.'
  const most = longest === 1 ? '1 minute' : `${longest} minutes`
  if (shortest === longest) return `A first call to any of these is free for ${most}.`
  return shortest === 0
    ? `A first call to some of these is free, for up to ${most}.`
    : `A first call to these is free for ${shortest} to ${most}.`
}
