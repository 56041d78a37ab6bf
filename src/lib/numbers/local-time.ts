import { clockTime } from '../clock.ts'
import { areaZone } from './area-zones.ts'
import { countries, countryOfIso } from './countries.ts'
import { searchCountries } from './country-search.ts'
import { localTimeTexts } from './local-time-texts.ts'
import { placeName } from './place-name.ts'
import { type MainZone, mainZones } from './time-zones.ts'

export interface LocalTime {
  /** `23:14`. */
  readonly time: string
  /** `there`; where several times are possible, the likeliest and whose it is: `in Sydney`. */
  readonly where: string
  /** The place in a sentence: `in India`, `in Sydney`; `there` if only the area code is known. */
  readonly place: string
  /** Whether people sleep, 22:00 to 7:00. `maybe`: in the likeliest place, but not in all that are possible. */
  readonly sleep: 'awake' | 'maybe' | 'asleep'
}

const wakesAt = 7
const sleepsAt = 22

/** Between 22:00 and 7:00. @param time `09:04` */
export function isNight(time: string): boolean {
  const hour = Number(time.slice(0, 2))
  return hour < wakesAt || hour >= sleepsAt
}

/**
 * The time where a number is at home; a mobile may be elsewhere.
 * @param e164 with the plus @param isoCode upper case, if it is known better than by the dial code
 * @returns null if the number tells no place, or this browser does not know the zone
 */
export function localTimeOfNumber(e164: string, now: Date, isoCode = isoOfNumber(e164)): LocalTime | null {
  if (tollFree.test(e164)) return null
  const area = areaZone(e164)
  if (area !== undefined) return timeAt([{ zone: area, place: '' }], localTimeTexts.there, now)
  return isoCode === undefined ? null : localTimeOfCountry(isoCode, now)
}

/** @param isoCode upper case @returns null if it is not one of ours, or this browser does not know the zone */
export function localTimeOfCountry(isoCode: string, now: Date): LocalTime | null {
  const country = countryOfIso(isoCode)
  if (country === undefined) return null
  return timeAt(mainZones(isoCode), localTimeTexts.inPlace({ place: placeName(country) }), now)
}

/** `23:14 there`, `23:14 in Sydney`. */
export function timeText({ time, where }: LocalTime): string {
  return localTimeTexts.time({ time, where })
}

/** `asleep until 7`; null while people are up. */
export function sleepText({ sleep }: LocalTime): string | null {
  if (sleep === 'awake') return null
  return sleep === 'asleep' ? localTimeTexts.asleep : localTimeTexts.maybeAsleep
}

/** A warning before a call, which it never prevents; null while people are up. */
export function nightText({ time, place, sleep }: LocalTime): string | null {
  return sleep === 'awake' ? null : localTimeTexts.night({ time, place })
}

function timeAt(zones: readonly MainZone[], sure: string, now: Date): LocalTime | null {
  const times = zones.flatMap(({ zone }) => timeIn(zone, now) ?? [])
  const [time] = times
  if (time === undefined || times.length < zones.length) return null
  const certain = new Set(times).size === 1
  const likeliest = localTimeTexts.inPlace({ place: firstPlace(zones[0]?.place ?? '') })
  const asleep = times.every(isNight) ? 'asleep' : 'maybe'
  return {
    time,
    where: certain ? localTimeTexts.there : likeliest,
    place: certain ? sure : likeliest,
    sleep: isNight(time) ? asleep : 'awake',
  }
}

/** Of `Sydney, Melbourne`, Sydney: the place that stands for the zone. */
export function firstPlace(places: string): string {
  return places.replace(/[,،、，].*/, '')
}

function timeIn(zone: string, now: Date): string | undefined {
  try {
    return clockTime(now, zone)
  } catch {
    return undefined
  }
}

/** Of all countries that share +1. */
const tollFree = /^\+18(?:00|33|44|55|66|77|88)/

/** Upper case. The longest dial code decides, then the main country of those that share it. */
function isoOfNumber(e164: string): string | undefined {
  if (/^\+7[67]/.test(e164)) return 'KZ'
  const length = Math.max(
    0,
    ...countries.filter(({ dialCode }) => e164.startsWith(dialCode)).map(({ dialCode }) => dialCode.length),
  )
  return length === 0 ? undefined : searchCountries(e164.slice(0, length))[0]?.isoCode
}
