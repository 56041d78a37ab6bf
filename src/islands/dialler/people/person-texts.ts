import { relativeDay } from '#lib/i18n/relative-day.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { type LocalTime, localTimeOfNumber, sleepText, timeText } from '#lib/numbers/local-time.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { texts as contactTexts } from '../contacts/texts.ts'
import { dayName, recentDay } from '../contacts/when.ts'
import type { Person } from './people.ts'
import { texts } from './texts.ts'

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
  const recent = recentDay(lastTalked, now)
  return recent === null
    ? texts.talkedOn({ day: dayName(lastTalked, now) })
    : texts.talked({ day: relativeDay(recent) })
}

function lineText(verdict: NumberVerdict | null, isoCode: string): string {
  const country = countryOfIso(isoCode)
  const line = verdict?.kind === 'ok' ? verdict.type : 'unknown'
  return country === undefined ? texts.line({ line }) : texts.lineIn({ line, place: placeName(country) })
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
    label: [texts.call({ name }), ...parts.filter(part => part !== null && part !== '')].join(
      contactTexts.separator,
    ),
  }
}
