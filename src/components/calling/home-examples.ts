import {
  type CountryCode,
  type Examples,
  getExampleNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import mobileExamples from 'libphonenumber-js/mobile/examples'
import { landlineExamples } from './landline-examples.ts'

/** Numbers as people of a country write them for each other. */
export interface HomeExamples {
  readonly mobile: string
  /** Undefined where landlines and mobiles look the same, as in the plan of +1. */
  readonly landline: string | undefined
}

/** Used where better than the library's: numbers kept for fiction (Ofcom, Arcep, BNetzA, ACMA, PTS), and capitals. */
const better: Readonly<Record<string, Partial<HomeExamples>>> = {
  AU: { mobile: '0491 570 156', landline: '(02) 5550 0123' },
  BG: { mobile: '088 123 4567' },
  BY: { mobile: '8 029 123-45-67', landline: '8 017 212-34-56' },
  CL: { mobile: '9 6123 4567', landline: '(2) 2123 4567' },
  DE: { mobile: '0171 3920012', landline: '030 23125123' },
  ES: { landline: '910 12 34 56' },
  FR: { mobile: '06 39 98 01 23' },
  GB: { mobile: '07700 900123', landline: '020 7946 0123' },
  HT: { landline: '22 12 3456' },
  IN: { mobile: '98765 43210', landline: '022 2123 4567' },
  KR: { mobile: '010-1234-5678' },
  KZ: { mobile: '8 (701) 123 4567', landline: '8 (7172) 12 34 56' },
  MX: { mobile: '55 1234 5678', landline: undefined },
  RU: { landline: '8 (495) 123-45-67' },
  SE: { mobile: '070-174 06 35', landline: '08-465 004 12' },
  TN: { landline: '71 234 567' },
  UA: { landline: '044 123 4567' },
  UZ: { landline: '71 123 45 67' },
}

const landlines = new Map(landlineExamples)

/** @throws Error for a country whose numbering plan the phone library does not know */
export function homeExamples(isoCode: string, dialCode: string): HomeExamples {
  if (dialCode.startsWith('+1')) return { mobile: northAmerican(isoCode, dialCode), landline: undefined }
  const mobile = getExampleNumber(isoCode as CountryCode, mobileExamples as Examples)
  const landline = parsePhoneNumberFromString(landlines.get(isoCode) ?? '')
  if (mobile === undefined || landline === undefined) throw new Error(`no example numbers for ${isoCode}`)
  return { mobile: atHome(mobile), landline: atHome(landline), ...better[isoCode] }
}

function atHome(number: PhoneNumber): string {
  return number.formatNational()
}

/** 555-0100 to 555-0199 belong to nobody in any area code of +1 (ATIS-0300115). */
function northAmerican(isoCode: string, dialCode: string): string {
  const area = { US: '212', CA: '416' }[isoCode] ?? dialCode.slice(2)
  return `(${area}) 555-0123`
}
