import { isSupportedCountry, validatePhoneNumberLength } from 'libphonenumber-js/max'
import { type Country, countries } from '#lib/numbers/countries.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { faultTexts } from './number-fault-texts.ts'

/** Whether a fault goes away by typing on. */
export function isUnfinished(fault: string): boolean {
  return fault === faultTexts.unfinished
}

/** Why a number, once typed, is incomplete or wrong; null if nothing is wrong or another message covers it. */
export function numberFault(typed: string, chosen: Country, verdict: NumberVerdict): string | null {
  if (verdict.kind === 'too_short') return faultTexts.unfinished
  if (verdict.kind !== 'impossible') return null
  const number = keepDialable(typed)
  switch (lengthFault(number, chosen)) {
    case 'TOO_SHORT':
      return faultTexts.unfinished
    case 'TOO_LONG':
      return faultTexts.tooLong
    default: {
      const place = placeOf(number, chosen)
      return place === null ? faultTexts.noNumber : faultTexts.noNumberIn({ place })
    }
  }
}

function lengthFault(number: string, { isoCode, dialCode }: Country): string | undefined {
  if (number.startsWith('+')) return validatePhoneNumberLength(number)
  const own = isSupportedCountry(isoCode) ? validatePhoneNumberLength(number, isoCode) : undefined
  return own === 'NOT_A_NUMBER' ? validatePhoneNumberLength(dialCode + number) : own
}

/** The chosen country, or the one of the typed code; null if several countries share the code. */
function placeOf(number: string, chosen: Country): string | null {
  if (!number.startsWith('+') || number.startsWith(chosen.dialCode)) return placeName(chosen)
  const names = new Set(countries.filter(({ dialCode }) => number.startsWith(dialCode)).map(placeName))
  const [name = null] = names
  return names.size === 1 ? name : null
}
