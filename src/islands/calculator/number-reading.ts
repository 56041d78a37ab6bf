import { countryOfIso, defaultCountry, entryOfNumber } from '#lib/numbers/countries.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { type LocalTime, localTimeOfNumber, sleepText, timeText } from '#lib/numbers/local-time.ts'
import type { PendingCall } from '#session/pending-call.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import type { Place } from './calculator.ts'
import { texts } from './texts.ts'

/** What the numbering plans make of the slip's number. Loaded when the field is reached. */
export type NumberReading =
  | { readonly kind: 'none' }
  /** The numbering plans are not here yet. `text`: as typed. */
  | { readonly kind: 'reading'; readonly text: string }
  /** Incomplete or wrong, and what to do about it. */
  | { readonly kind: 'fault'; readonly text: string }
  | CallableNumber

export interface CallableNumber extends Omit<PendingCall, 'atMs'> {
  readonly kind: 'ok'
  readonly e164: string
  readonly place: Place
  /** `Mobile`, `Landline`. */
  readonly type: string
  /** `23:14 there, asleep until 7`; null if the number tells no place. */
  readonly there: string | null
}

export function prepare(): void {
  loadPhoneRules().catch(() => undefined)
}

/** @param text not empty @param isoCode the chosen country's. Rejects if the numbering plans do not load. */
export async function readNumber(text: string, isoCode: string, now: Date): Promise<NumberReading> {
  const rules = await loadPhoneRules()
  const chosen = countryOfIso(isoCode) ?? defaultCountry
  const { number, extension, country } = rules.readWrittenNumber(text, chosen)
  const verdict = rules.parseNumber(number, country)
  if (verdict.kind !== 'ok') {
    const fault = rules.numberFault(number, country, verdict) ?? rules.verdictMessage(verdict)
    const isElsewhere = verdict.kind === 'impossible' && !keepDialable(number).startsWith('+')
    return {
      kind: 'fault',
      text: isElsewhere ? `${fault}. ${texts.chooseCountry}` : (fault ?? texts.enterNumber),
    }
  }
  const entry = entryOfNumber(verdict.e164, verdict.isoCode)
  return {
    kind: 'ok',
    e164: verdict.e164,
    place: { isoCode: entry.isoCode, name: entry.name },
    type: rules.numberTypeLabel(verdict.type, null),
    there: thereText(localTimeOfNumber(verdict.e164, now, verdict.isoCode)),
    country: entry.id,
    typed: number,
    extension,
    formatted: verdict.formatted,
  }
}

function thereText(local: LocalTime | null): string | null {
  if (local === null) return null
  return [timeText(local), sleepText(local)].filter(text => text !== null).join(', ')
}
