import { countryOfIso } from '#lib/numbers/countries.ts'
import { type LocalTime, localTimeOfNumber, sleepText, timeText } from '#lib/numbers/local-time.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { dayOf } from '../contacts/when.ts'
import type { Person } from './people.ts'

export interface PersonTexts {
  readonly local: LocalTime | null
  /** `asleep until 7`; null while people are up there. */
  readonly sleep: string | null
  /** `talked yesterday`; null if unknown. */
  readonly talked: string | null
  /** For screen readers: `Call Mum, mobile in India, 23:14 there, asleep until 7, talked yesterday`. */
  readonly label: string
}

/** `talked today`, `talked on Tuesday`, `talked on 16 Nov`. */
export function talkedText(lastTalked: Date | null, now: Date): string | null {
  if (lastTalked === null) return null
  const day = dayOf(lastTalked, now)
  return day === 'Today' || day === 'Yesterday' ? `talked ${day.toLowerCase()}` : `talked on ${day}`
}

function lineText(verdict: NumberVerdict | null, isoCode: string): string {
  const country = countryOfIso(isoCode)
  const type = verdict?.kind === 'ok' ? verdict.type : null
  const line = type === 'mobile' || type === 'landline' ? `${type} ` : ''
  return country === undefined ? line.trim() : `${line}in ${placeName(country)}`
}

/** @param verdict of the person's number; null until the numbering plans are loaded */
export function textsOf(
  { contact, lastTalked }: Person,
  verdict: NumberVerdict | null,
  now: Date,
): PersonTexts {
  const { name, phone_number, iso_code } = contact
  const local = localTimeOfNumber(phone_number, now, iso_code)
  const sleep = local === null ? null : sleepText(local)
  const talked = talkedText(lastTalked, now)
  const parts = [lineText(verdict, iso_code), local === null ? null : timeText(local), sleep, talked]
  return {
    local,
    sleep,
    talked,
    label: [`Call ${name}`, ...parts.filter(part => part !== null && part !== '')].join(', '),
  }
}
