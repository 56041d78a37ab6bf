import { currentLanguage, sourceLanguage } from '#lib/i18n/language.ts'
import { mainZones } from '#lib/numbers/time-zones.ts'
import { callingTexts } from './texts.ts'

export interface LocalClock {
  /** IANA name: `Asia/Kolkata`. */
  readonly zone: string
  /** Where it holds; empty where the whole country keeps this time. */
  readonly place: string
  /** `India Standard Time`. */
  readonly name: string
  /** `UTC+5:30`, and with summer time both. */
  readonly utc: string
  /** `5 hours 30 minutes ahead of London in January, 4 hours 30 minutes in July`. */
  readonly fromLondon: string
}

const wakesAt = 7
const sleepsAt = 22
const minutesPerHour = 60
const minutesPerDay = 24 * minutesPerHour

// A day in winter and one in summer show every regular change of the clocks. The next of each, because a country that
// stops changing its clocks would else keep the months before in its page.
const seasons = [next(0), next(6)] as const

/** The coming 15th of a month, at noon UTC. */
function next(month: number): Date {
  const now = new Date()
  const day = new Date(Date.UTC(now.getUTCFullYear(), month, 15, 12))
  if (day < now) day.setUTCFullYear(day.getUTCFullYear() + 1)
  return day
}

/** @param isoCode upper case, of a country we list; the clock of most people comes first */
export function clocksOf(isoCode: string): readonly LocalClock[] {
  return mainZones(isoCode).map(({ zone, place }) => {
    const [january, july] = offsetsOf(zone)
    const [londonJanuary, londonJuly] = offsetsOf('Europe/London')
    return {
      zone,
      place,
      name: zoneName(zone),
      utc:
        january === july ? utc(january) : callingTexts.bySeason({ january: utc(january), july: utc(july) }),
      fromLondon: difference(january - londonJanuary, july - londonJuly),
    }
  })
}

/** When to call: London's hours while everybody in the country is awake, 7:00 to 22:00 there. */
export function goodHoursInLondon(isoCode: string): { readonly january: string; readonly july: string } {
  const zones = mainZones(isoCode).map(({ zone }) => offsetsOf(zone))
  const london = offsetsOf('Europe/London')
  const hours = (season: 0 | 1) => {
    const offsets = zones.map(offset => offset[season] - london[season])
    const from = wakesAt * minutesPerHour - Math.min(...offsets)
    const to = sleepsAt * minutesPerHour - Math.max(...offsets)
    return callingTexts.hours({ from: timeOfDay(from), to: timeOfDay(to) })
  }
  return { january: hours(0), july: hours(1) }
}

const known = new Map<string, readonly [january: number, july: number]>()

/** Minutes ahead of UTC, by the time-zone data of this Node. */
function offsetsOf(zone: string): readonly [january: number, july: number] {
  const found = known.get(zone)
  if (found !== undefined) return found
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
  const [january, july] = seasons.map(day => {
    const text = format.formatToParts(day).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * minutesPerHour + Number(minutes))
  })
  const offsets = [january ?? 0, july ?? 0] as const
  known.set(zone, offsets)
  return offsets
}

function zoneName(zone: string): string {
  const language = currentLanguage() === sourceLanguage ? 'en-GB' : currentLanguage()
  const format = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'longGeneric' })
  return format.formatToParts(seasons[0]).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

function utc(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const rest = Math.abs(minutes) % minutesPerHour
  const hours = Math.floor(Math.abs(minutes) / minutesPerHour)
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${rest}`}`
}

function difference(january: number, july: number): string {
  const inJanuary = withDirection(january)
  if (january === july) return inJanuary
  if (january !== 0 && july === 0) return callingTexts.sameInJuly({ january: inJanuary })
  const inJuly = Math.sign(january) === Math.sign(july) ? length(july) : withDirection(july)
  return callingTexts.bySeason({ january: inJanuary, july: inJuly })
}

function withDirection(minutes: number): string {
  if (minutes === 0) return callingTexts.sameTime
  return minutes > 0
    ? callingTexts.ahead({ length: length(minutes) })
    : callingTexts.behind({ length: length(minutes) })
}

function length(offset: number): string {
  const hours = Math.floor(Math.abs(offset) / minutesPerHour)
  const minutes = Math.abs(offset) % minutesPerHour
  return minutes === 0 ? callingTexts.wholeHours({ hours }) : callingTexts.hoursAndMinutes({ hours, minutes })
}

function timeOfDay(minutes: number): string {
  const within = ((minutes % minutesPerDay) + minutesPerDay) % minutesPerDay
  const [hours, rest] = [Math.floor(within / minutesPerHour), within % minutesPerHour]
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
