import {
  isSupportedCountry,
  type NumberType,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { type Country, countries, countriesByIso } from './countries.ts'
import { keepDialable, shortestLookup } from './dialable.ts'
import { emergencyMessage, isEmergencyNumber } from './emergency.ts'
import { numberTexts, rejectionTexts } from './number-texts.ts'
import { isGlobalServiceNumber, isNanpPremiumNumber, isNanpSatelliteNumber } from './prefixes.ts'

/** Type by the numbering plan. `either`: a landline or a mobile. */
export type LineType = 'landline' | 'mobile' | 'either' | 'toll_free' | 'voip' | 'company' | 'voicemail'

/** Kinds of numbers that are never called, in any country (PD-64). */
export type RejectionReason = 'premium_rate' | 'shared_cost' | 'personal_number' | 'pager' | 'global_service'

export type NumberVerdict =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too_short' }
  | { readonly kind: 'emergency' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'refused'; readonly reason: RejectionReason }
  | {
      readonly kind: 'ok'
      readonly e164: string
      readonly isoCode: string
      /** Grouped international format: `+44 20 7946 0958`. */
      readonly formatted: string
      readonly type: LineType
    }

/**
 * Reads a number typed for a country, by the numbering plan (PD-16), with any prefixes. If the plan finds nothing,
 * drops leading zeros and adds the entry's dial code. A number of another country keeps its own. Never throws.
 */
export function parseNumber(text: string, country: Pick<Country, 'isoCode' | 'dialCode'>): NumberVerdict {
  if (text.length > longestText) return { kind: 'impossible' }
  const typed = keepDialable(text)
  if (typed === '') return { kind: 'empty' }
  const international = internationalForm(typed, country)
  if (isEmergencyNumber(country.isoCode, typed)) return { kind: 'emergency' }
  if (countries.some(({ isoCode, dialCode }) => isEmergencyOf(isoCode, dialCode, international)))
    return { kind: 'emergency' }
  if (typed.length < shortestLookup) return { kind: 'too_short' }
  const number = typed.length > longestTyped ? undefined : findNumber(typed, country)
  return number === undefined ? whyNone(international) : judge(number)
}

/** Undefined if nothing is typed yet or all is well. A bare kind gets the text that fits every reason. */
export function verdictMessage(verdict: NumberVerdict | NumberVerdict['kind']): string | undefined {
  switch (typeof verdict === 'string' ? verdict : verdict.kind) {
    case 'empty':
    case 'ok':
      return undefined
    case 'emergency':
      return emergencyMessage()
    case 'unsupported':
      return numberTexts.unsupported
    case 'refused':
      return typeof verdict === 'object' && verdict.kind === 'refused' && verdict.reason !== 'global_service'
        ? rejectionTexts[verdict.reason]
        : numberTexts.unsupported
    case 'too_short':
      return numberTexts.tooShort
    case 'impossible':
      return numberTexts.unrecognised
  }
}

/** Max characters read, to bound the parsing time. */
const longestText = 250
/** Max characters: 15 digits of E.164, a plus or an international prefix of up to 5, and a stray trunk zero. */
const longestTyped = 21

/** `0044...` becomes `+44...`; with +1 chosen, also `01144...`. Undefined without an international prefix. */
function internationalForm(typed: string, country: Pick<Country, 'dialCode'>): string | undefined {
  if (typed.startsWith('+')) return typed
  const prefix = country.dialCode.startsWith('+1') ? /^0(?:0|11)(?=[1-9])/ : /^00(?=[1-9])/
  return prefix.test(typed) ? typed.replace(prefix, '+') : undefined
}

function isEmergencyOf(isoCode: string, dialCode: string, international: string | undefined): boolean {
  return international?.startsWith(dialCode) === true && isEmergencyNumber(isoCode, international)
}

function findNumber(typed: string, country: Pick<Country, 'isoCode' | 'dialCode'>): PhoneNumber | undefined {
  if (typed.startsWith('+')) return validNumber(typed)
  const international = internationalForm(typed, country)
  return (
    validNumber(typed, country.isoCode) ??
    (international === undefined ? undefined : validNumber(international)) ??
    validNumber(country.dialCode + typed.replace(/^0+/, ''))
  )
}

function validNumber(typed: string, isoCode?: string): PhoneNumber | undefined {
  const number =
    isoCode !== undefined && isSupportedCountry(isoCode)
      ? parsePhoneNumberFromString(typed, { defaultCountry: isoCode, extract: false })
      : parsePhoneNumberFromString(typed, { extract: false })
  return number !== undefined && isAssigned(number) && isDialableAbroad(number.number) ? number : undefined
}

/** For the +1 islands the library lags behind: a known area code and a well-formed exchange suffice there. */
function isAssigned(number: PhoneNumber): boolean {
  if (number.isValid() || reservedOf(number) !== undefined) return true
  return number.country !== undefined && nanpShape.test(number.number)
}

/** Numbers that Ofcom and Arcep reserve for fiction and tests. The library rejects them, but they are well formed. */
const reserved: readonly { readonly shape: RegExp; readonly isoCode: string; readonly type: LineType }[] = [
  { shape: /^\+447700900\d{3}$/, isoCode: 'GB', type: 'mobile' },
  { shape: /^\+441632960\d{3}$/, isoCode: 'GB', type: 'landline' },
  { shape: /^\+3363998\d{4}$/, isoCode: 'FR', type: 'mobile' },
]
function reservedOf(number: PhoneNumber) {
  return reserved.find(({ shape }) => shape.test(number.number))
}
const nanpShape = /^\+1[2-9]\d{2}[2-9](?!11)\d{6}$/

/** E.164: max 15 digits, exactly 10 after +1. National plans also have longer numbers, and +1 has 310 xxxx. */
function isDialableAbroad(e164: string): boolean {
  return e164.startsWith('+1') ? e164.length === 12 : e164.length <= 16
}

function whyNone(international: string | undefined): NumberVerdict {
  if (international === undefined) return { kind: 'impossible' }
  if (isGlobalServiceNumber(international)) return { kind: 'refused', reason: 'global_service' }
  const leadsSomewhere = countries.some(
    ({ dialCode }) => international.startsWith(dialCode) || dialCode.startsWith(international),
  )
  return { kind: leadsSomewhere ? 'impossible' : 'unsupported' }
}

function judge(number: PhoneNumber): NumberVerdict {
  const e164 = number.number
  if (isGlobalServiceNumber(e164)) return { kind: 'refused', reason: 'global_service' }
  if (isNanpSatelliteNumber(e164)) return { kind: 'refused', reason: 'global_service' }
  if (isNanpPremiumNumber(e164)) return { kind: 'refused', reason: 'premium_rate' }
  const isoCode = countryOf(number)
  if (!countriesByIso.has(isoCode)) return { kind: 'unsupported' }
  const type = lineType(number)
  if (typeof type === 'object') return { kind: 'refused', reason: type.refused }
  return { kind: 'ok', e164, isoCode, formatted: number.formatInternational(), type }
}

/** Sold or not; empty if none. The library assigns the Isle of Man's 07924 to Great Britain. */
function countryOf(number: PhoneNumber): string {
  const range = reservedOf(number)
  if (range !== undefined) return range.isoCode
  if (number.number.startsWith('+447924')) return 'IM'
  return number.country === undefined ? '' : (networkOf[number.country] ?? number.country)
}

/** Places with an ISO code that share another country's network and rate. */
const networkOf: Readonly<Record<string, string>> = {
  AX: 'FI', // Åland
  CC: 'AU', // Cocos Islands
  CX: 'AU', // Christmas Island
  EH: 'MA', // Western Sahara
  SJ: 'NO', // Svalbard
  VA: 'IT', // Vatican City
  YT: 'RE', // Mayotte
}

/** By the library's names. Kinds that are never called are reasons of rejection. */
const lineTypes: Readonly<Record<NonNullable<NumberType>, LineType | { readonly refused: RejectionReason }>> =
  {
    FIXED_LINE: 'landline',
    MOBILE: 'mobile',
    FIXED_LINE_OR_MOBILE: 'either',
    TOLL_FREE: 'toll_free',
    VOIP: 'voip',
    UAN: 'company',
    VOICEMAIL: 'voicemail',
    PREMIUM_RATE: { refused: 'premium_rate' },
    SHARED_COST: { refused: 'shared_cost' },
    PERSONAL_NUMBER: { refused: 'personal_number' },
    PAGER: { refused: 'pager' },
  }

function lineType(number: PhoneNumber) {
  const type = number.getType()
  return type === undefined ? (reservedOf(number)?.type ?? 'either') : lineTypes[type]
}
