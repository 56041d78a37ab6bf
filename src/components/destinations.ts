import { readFileSync } from 'node:fs'
import { faceValue } from '#lib/money/face-value.ts'
import { freeCallMinutes } from '#lib/money/pricing.ts'
import { countryRate, parseTariff } from '#lib/money/tariff.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { publicTexts } from './public-texts.ts'

export interface Destination {
  readonly isoCode: string
  readonly name: string
  readonly dialCode: string
  readonly microUsdPerMinute: number
  /** The mobile rate as printed on a stamp: `2.0¢`. */
  readonly centsPerMinute: string
  readonly landlineMicroUsdPerMinute: number
  /** Micro-dollars per minute of the cheapest prefix. */
  readonly fromMicroUsd: number
  /** Free minutes of a first call to a mobile there; 0 when it is not eligible. */
  readonly freeMinutes: number
}

export const tariff = parseTariff(readFileSync('public/tariff.csv', 'utf8'))

/** @throws Error when the country is not listed or not sold: pages may name only those that are */
export function destinationOf(isoCode: string): Destination {
  const country = countryOfIso(isoCode)
  const rate = countryRate(tariff, isoCode)
  if (!country || !rate) throw new Error(`no destination ${isoCode} in the country list or the tariff`)
  const microUsdPerMinute = rate.ourRateMicroUsd
  return {
    isoCode: country.isoCode,
    // In the language of the page that reads it: destinations are kept for all pages.
    get name() {
      return country.name
    },
    dialCode: country.dialCode,
    microUsdPerMinute,
    centsPerMinute: faceValue(microUsdPerMinute),
    landlineMicroUsdPerMinute: rate.landlineMicroUsd,
    fromMicroUsd: rate.fromMicroUsd,
    freeMinutes: freeCallMinutes(microUsdPerMinute),
  }
}

export function countryPath(isoCode: string): string {
  return `/calling/${isoCode.toLowerCase()}`
}

/** How long a first call to any of some destinations is free (PD-20: every rate shown says so). */
export function freeMinutesText(freeMinutes: readonly number[]): string {
  const shortest = Math.min(...freeMinutes)
  const longest = Math.max(...freeMinutes)
  if (longest === 0) return publicTexts.noneFree
  if (shortest === longest) return publicTexts.allFree({ minutes: longest })
  return shortest === 0
    ? publicTexts.someFree({ minutes: longest })
    : publicTexts.freeFromTo({ shortest, longest })
}
