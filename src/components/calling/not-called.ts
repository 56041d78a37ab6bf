import { type CountryCode, Metadata } from 'libphonenumber-js/max'
import { listed } from '#lib/i18n/list-format.ts'
import { type Country, countriesByIso } from '#lib/numbers/countries.ts'
import { emergencyNumbers } from '#lib/numbers/emergency.ts'
import { refusedGlobalPrefixes } from '#lib/numbers/prefixes.ts'
import { isRiskyNumber } from '#shared/numbers/risky-numbers.ts'
import { callingTexts } from './texts.ts'

/** What we never call, by the names that callers know (PD-64). */
export interface Refused {
  readonly what: string
  readonly detail: string
}

/** Kinds of numbers that we refuse, where the country's numbering plan has them. */
const kinds = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER'] as const
type Kind = (typeof kinds)[number]

/** @param isoCode upper case, of a country we list */
export function notCalled(isoCode: string): readonly Refused[] {
  const emergency = listed(emergencyNumbers[isoCode] ?? [])
  const northAmerican = countriesByIso.get(isoCode)?.[0].dialCode.startsWith('+1') === true
  return [
    { what: callingTexts.emergency({ numbers: emergency }), detail: callingTexts.emergencyText },
    { what: callingTexts.short, detail: callingTexts.shortText },
    ...kinds.filter(kind => hasNumbersOf(isoCode, kind)).map(kind => refused(kind, northAmerican)),
    {
      what: callingTexts.global,
      detail: callingTexts.globalText({ codes: listed(refusedGlobalPrefixes) }),
    },
  ]
}

function refused(kind: Kind, northAmerican: boolean): Refused {
  switch (kind) {
    case 'PREMIUM_RATE':
      return {
        what: northAmerican ? callingTexts.premiumPlusOne : callingTexts.premium,
        detail: callingTexts.premiumText,
      }
    case 'SHARED_COST':
      return { what: callingTexts.shared, detail: callingTexts.sharedText }
    case 'PERSONAL_NUMBER':
      return { what: callingTexts.personal, detail: callingTexts.personalText }
    case 'PAGER':
      return { what: callingTexts.pagers, detail: callingTexts.pagersText }
  }
}

const metadata = new Metadata()

/** What the library's plans can tell and its types leave out. */
interface TypedPlan {
  type(type: string): { pattern(): string | undefined } | undefined
}

function hasNumbersOf(isoCode: string, type: Kind): boolean {
  metadata.selectNumberingPlan(isoCode as CountryCode)
  const plan = metadata.numberingPlan as unknown as TypedPlan | undefined
  return Boolean(plan?.type(type)?.pattern())
}

/** Whether calls to all numbers of a country carry the caution (SPEC-5.5, PD-65). */
export function isRisky({ dialCode }: Pick<Country, 'dialCode'>): boolean {
  return isRiskyNumber(dialCode)
}
