import { readFileSync } from 'node:fs'
import { countryOfIso } from '#lib/rules/countries.ts'
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
  /** Whole minutes that a first call there is free for. */
  readonly freeMinutes: number
}

const tariff = parseTariff(readFileSync('public/tariff.csv', 'utf8'))

const microUsdPerCent = 10_000

/** @throws Error when the country is not one we list or sell: a page names only those that are. */
export function destinationOf(isoCode: string): Destination {
  const country = countryOfIso(isoCode)
  const rate = countryRate(tariff, isoCode)
  if (!country || !rate) throw new Error(`no destination ${isoCode} in the country list or the tariff`)
  const microUsdPerMinute = rate.ourRateMicroUsd
  return {
    isoCode,
    name: country.name,
    emoji: country.emoji,
    dialCode: country.dialCode,
    microUsdPerMinute,
    centsPerMinute: `${(microUsdPerMinute / microUsdPerCent).toFixed(1)}¢`,
    freeMinutes: freeCallMinutes(microUsdPerMinute),
  }
}

/** How long a first call to any of some destinations is free (decision 20: every rate shown says so). */
export function freeMinutesText(freeMinutes: readonly number[]): string {
  const shortest = Math.min(...freeMinutes)
  const longest = Math.max(...freeMinutes)
  return shortest === longest
    ? `A first call to any of these is free for ${longest} minutes.`
    : `A first call to these is free for ${shortest} to ${longest} minutes.`
}
