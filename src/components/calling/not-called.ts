import { type CountryCode, Metadata } from 'libphonenumber-js/max'
import { type Country, countriesByIso } from '#lib/numbers/countries.ts'
import { emergencyNumbers } from '#lib/numbers/emergency.ts'
import { refusedGlobalPrefixes } from '#lib/numbers/prefixes.ts'
import { isRiskyNumber } from '#shared/numbers/risky-numbers.ts'
import { listed } from './dialling.ts'

/** What we never call, by the names that callers know (PD-64). */
export interface Refused {
  readonly what: string
  readonly detail: string
}

/** Kinds of numbers that we refuse, where the country's numbering plan has them. */
const kinds = [
  ['PREMIUM_RATE', 'Premium-rate numbers', 'Hotlines and votes that cost more than an ordinary call.'],
  ['SHARED_COST', 'Shared-cost numbers', 'Service lines where caller and company split the price.'],
  ['PERSONAL_NUMBER', 'Personal numbers', 'They forward calls to wherever somebody is, at any price.'],
  ['PAGER', 'Pagers', 'They take messages, not calls.'],
] as const

/** @param isoCode upper case, of a country we list */
export function notCalled(isoCode: string): readonly Refused[] {
  const emergency = listed(emergencyNumbers[isoCode] ?? [])
  const northAmerican = countriesByIso.get(isoCode)?.[0].dialCode.startsWith('+1') === true
  return [
    {
      what: `Emergency numbers: ${emergency}`,
      detail: "They don't work from abroad. Use a phone in the country.",
    },
    { what: 'Short numbers', detail: 'Service codes of a few digits only work within a country.' },
    ...kinds
      .filter(([type]) => hasNumbersOf(isoCode, type))
      .map(([type, what, detail]) => ({
        what:
          northAmerican && type === 'PREMIUM_RATE' ? 'Area code 900 and exchange 976, premium rate' : what,
        detail,
      })),
    {
      what: 'Global codes',
      detail: `${listed(refusedGlobalPrefixes)}: satellite phones, machine networks and services that belong to no country.`,
    },
  ]
}

const metadata = new Metadata()

/** What the library's plans can tell and its types leave out. */
interface TypedPlan {
  type(type: string): { pattern(): string | undefined } | undefined
}

function hasNumbersOf(isoCode: string, type: (typeof kinds)[number][0]): boolean {
  metadata.selectNumberingPlan(isoCode as CountryCode)
  const plan = metadata.numberingPlan as unknown as TypedPlan | undefined
  return Boolean(plan?.type(type)?.pattern())
}

/** Whether calls to all numbers of a country carry the caution (SPEC-5.5, PD-65). */
export function isRisky({ dialCode }: Pick<Country, 'dialCode'>): boolean {
  return isRiskyNumber(dialCode)
}
