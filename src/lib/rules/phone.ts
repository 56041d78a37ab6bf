import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type Country, countries, countriesByIso } from './countries.ts'
import { keepDialable, shortestLookup } from './dialable.ts'
import { emergencyMessage, isEmergencyNumber } from './emergency.ts'
import { texts } from './error-texts.ts'
import { isGlobalServiceNumber, isNanpPremiumNumber } from './prefixes.ts'

/** The country code does not lead to a destination we sell. */
export const unsupportedMessage = texts.numbers.unsupported
/** Specification section 8. */
export const unrecognisedMessage = texts.numbers.unrecognised

export const tooShortMessage = texts.numbers.too_short

/** What a number is, as far as its numbering plan tells. `either`: a landline or a mobile. */
export type LineType = 'landline' | 'mobile' | 'either' | 'toll_free' | 'voip' | 'company' | 'voicemail'

/** What is never called, wherever it is (product decisions, 'Fraud limits'). */
export type RefusalReason = 'premium_rate' | 'shared_cost' | 'personal_number' | 'pager' | 'global_service'

/** The global codes are no country's, so nothing is sold there. */
const refusalMessages: Readonly<Record<RefusalReason, string>> = {
  premium_rate: 'We do not call premium-rate numbers.',
  shared_cost: 'We do not call shared-cost numbers.',
  personal_number: 'We do not call personal numbers that forward calls.',
  pager: 'We do not call pagers.',
  global_service: unsupportedMessage,
}

export type NumberVerdict =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too_short' }
  | { readonly kind: 'emergency' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | {
      readonly kind: 'ok'
      /** With the plus. */
      readonly e164: string
      /** The country that the number is in, which need not be the chosen one. */
      readonly isoCode: string
      /** In groups, with the plus and the country code: `+44 20 7946 0958`. */
      readonly formatted: string
      readonly type: LineType
    }

/**
 * What a text typed for a country means. The numbering plan decides (decision 16): national prefixes,
 * international prefixes and zeros that belong to the number are understood; where the plan finds nothing,
 * leading zeros are dropped and the entry's dial code is put before the rest. A number of another country
 * is taken for what it is. Any text is fine; nothing is thrown.
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

/**
 * What to tell the caller about a verdict; undefined where there is nothing to say yet, or all is well.
 * A kind alone gets the words that hold whatever the reason.
 */
export function verdictMessage(verdict: NumberVerdict | NumberVerdict['kind']): string | undefined {
  switch (typeof verdict === 'string' ? verdict : verdict.kind) {
    case 'empty':
    case 'ok':
      return undefined
    case 'emergency':
      return emergencyMessage
    case 'unsupported':
      return unsupportedMessage
    case 'refused':
      return typeof verdict === 'object' && verdict.kind === 'refused'
        ? refusalMessages[verdict.reason]
        : unsupportedMessage
    case 'too_short':
      return tooShortMessage
    case 'impossible':
      return unrecognisedMessage
  }
}

/** Characters; nobody types more for one number, and reading on would take its time. */
const longestText = 250
/** 15 digits of E.164, a plus or an international prefix of up to 5, and a stray trunk zero. */
const longestTyped = 21

/** `0044...` as `+44...`, and so `01144...` where +1 is chosen; undefined when it starts otherwise. */
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

/**
 * Whether the plan has the number. On the +1 islands the library knows single exchanges, and not the
 * newest, so there a known area code and an exchange of the right shape are enough.
 */
function isAssigned(number: PhoneNumber): boolean {
  if (number.isValid() || reservedOf(number) !== undefined) return true
  return number.country !== undefined && nanpShape.test(number.number)
}

/**
 * What Ofcom and Arcep set aside for films, manuals and tests. The library leaves them out as nobody's,
 * but they are well formed and belong to their country.
 */
const reserved: readonly { readonly shape: RegExp; readonly isoCode: string; readonly type: LineType }[] = [
  { shape: /^\+447700900\d{3}$/, isoCode: 'GB', type: 'mobile' },
  { shape: /^\+441632960\d{3}$/, isoCode: 'GB', type: 'landline' },
  { shape: /^\+3363998\d{4}$/, isoCode: 'FR', type: 'mobile' },
]
function reservedOf(number: PhoneNumber) {
  return reserved.find(({ shape }) => shape.test(number.number))
}
const nanpShape = /^\+1[2-9]\d{2}[2-9](?!11)\d{6}$/

/** E.164: 15 digits at most, and 10 after +1. National plans also know longer ones, and +1 has 310 xxxx. */
function isDialableAbroad(e164: string): boolean {
  return e164.startsWith('+1') ? e164.length === 12 : e164.length <= 16
}

/** No number was found: because nobody we sell has this code, or because the rest is wrong. */
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
  if (isNanpPremiumNumber(e164)) return { kind: 'refused', reason: 'premium_rate' }
  const isoCode = countryOf(number)
  if (!countriesByIso.has(isoCode)) return { kind: 'unsupported' }
  const type = lineType(number)
  if (type.refused) return { kind: 'refused', reason: type.reason }
  return { kind: 'ok', e164, isoCode, formatted: number.formatInternational(), type: type.is }
}

/**
 * The country whose network a number is in, whether we sell it or not; empty when it is in none.
 * The library gives 07924 to Great Britain, whose plan overlaps there; it is the Isle of Man's.
 */
function countryOf(number: PhoneNumber): string {
  const range = reservedOf(number)
  if (range !== undefined) return range.isoCode
  if (number.number.startsWith('+447924')) return 'IM'
  return number.country === undefined ? '' : (networkOf[number.country] ?? number.country)
}

/** Places with an ISO code whose numbers are part of another country's network and price. */
const networkOf: Readonly<Record<string, string>> = {
  AX: 'FI', // Åland
  CC: 'AU', // Cocos Islands
  CX: 'AU', // Christmas Island
  EH: 'MA', // Western Sahara
  SJ: 'NO', // Svalbard
  VA: 'IT', // Vatican City
  YT: 'RE', // Mayotte
}

type Typed =
  | { readonly refused: true; readonly reason: RefusalReason }
  | { readonly refused: false; readonly is: LineType }

function lineType(number: PhoneNumber): Typed {
  const type = number.getType()
  switch (type) {
    case 'FIXED_LINE':
      return { refused: false, is: 'landline' }
    case 'MOBILE':
      return { refused: false, is: 'mobile' }
    case 'TOLL_FREE':
      return { refused: false, is: 'toll_free' }
    case 'VOIP':
      return { refused: false, is: 'voip' }
    case 'UAN':
      return { refused: false, is: 'company' }
    case 'VOICEMAIL':
      return { refused: false, is: 'voicemail' }
    case 'FIXED_LINE_OR_MOBILE':
      return { refused: false, is: 'either' }
    case undefined:
      return { refused: false, is: reservedOf(number)?.type ?? 'either' }
    case 'PREMIUM_RATE':
      return { refused: true, reason: 'premium_rate' }
    case 'SHARED_COST':
      return { refused: true, reason: 'shared_cost' }
    case 'PERSONAL_NUMBER':
      return { refused: true, reason: 'personal_number' }
    case 'PAGER':
      return { refused: true, reason: 'pager' }
  }
}
