import { listed } from '#lib/i18n/list-format.ts'
import { type Country, countriesByIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { type DialExample, dialExample } from '../dial-example.ts'
import { dialTexts } from '../dial-texts.ts'
import { ownAdvice } from './dial-advice-texts.ts'
import { homeExamples } from './home-examples.ts'
import { callingTexts } from './texts.ts'

export interface NamedExample extends DialExample {
  readonly what: 'mobile' | 'landline' | 'mobile or landline'
}

export interface Dialling {
  readonly examples: readonly NamedExample[]
  /** Digits that are dialled at home only, such as `0`; empty where no example has any. */
  readonly trunk: string
  /** What to leave out, keep or add, in a sentence or two. */
  readonly advice: string
}

/** @param isoCode upper case, of a country we list */
export function diallingOf(isoCode: string): Dialling {
  const country = countriesByIso.get(isoCode)?.[0]
  if (country === undefined) throw new Error(`${isoCode} is no country of our list`)
  const { mobile, landline } = homeExamples(isoCode, country.dialCode)
  const examples: NamedExample[] =
    landline === undefined
      ? [{ what: 'mobile or landline', ...dialExample(isoCode, mobile) }]
      : [
          { what: 'mobile', ...namedAsKnown(dialExample(isoCode, mobile), networkCodes) },
          { what: 'landline', ...namedAsKnown(dialExample(isoCode, landline), noAreaCodes) },
        ]
  const trunks = examples.map(trunkOf)
  const trunk = trunks.find(found => found !== '') ?? ''
  const dropped = trunks.every(found => found !== '') ? 'both' : 'some'
  return { examples, trunk, advice: ownAdviceFor(isoCode) ?? advice(country, examples, trunk, dropped) }
}

/** Mobiles whose first digits, in brackets or behind a trunk prefix, are their network's and no area's. */
const networkCodes: Readonly<Record<string, 'network' | 'none'>> = {
  KZ: 'network',
  RU: 'network',
  SL: 'network',
}
/** Landlines whose first group is not, or not for certain, an area code: an operator's, or part of it. */
const noAreaCodes: Readonly<Record<string, 'network' | 'none'>> = {
  AL: 'none',
  CD: 'none',
  DZ: 'none',
  GH: 'none',
  LK: 'none',
  LR: 'none',
  LT: 'none',
  MA: 'none',
  MG: 'none',
  NG: 'none',
  RE: 'none',
  SD: 'none',
  SL: 'none',
  UG: 'none',
}

/** Takes the name of an area code back where the first digits are something else. */
function namedAsKnown(
  example: DialExample,
  known: Readonly<Record<string, 'network' | 'none'>>,
): DialExample {
  const really = known[example.isoCode]
  if (really === undefined) return example
  const area = example.parts.find(part => part.kind === 'area')
  if (area === undefined) return example
  const parts =
    really === 'network'
      ? example.parts.map(part => (part === area ? { ...part, label: dialTexts.networkCode } : part))
      : example.parts
          .filter(part => part !== area)
          .map(part => (part.kind === 'rest' ? { ...part, digits: `${area.digits} ${part.digits}` } : part))
  return { ...example, parts }
}

/** What is struck out before the number: `0` of `020 7946 0123`. */
function trunkOf({ parts }: DialExample): string {
  return parts.find(part => part.kind === 'omit')?.digits ?? ''
}

function ownAdviceFor(isoCode: string): string | undefined {
  return Object.hasOwn(ownAdvice, isoCode) ? ownAdvice[isoCode as keyof typeof ownAdvice] : undefined
}

function advice(
  country: Country,
  examples: readonly DialExample[],
  trunk: string,
  dropped: 'both' | 'some',
): string {
  const place = placeName(country)
  if (country.dialCode.startsWith('+1')) return northAmericanAdvice(country)
  if (trunk === '') return callingTexts.noTrunk({ place, code: country.dialCode })
  if (dropped === 'some') {
    const without = examples.find(example => trunkOf(example) === '')
    return callingTexts.someTrunk({ trunk, place, example: without?.written ?? '' })
  }
  return callingTexts.trunk({ place, trunk })
}

function northAmericanAdvice({ isoCode, name }: Country): string {
  const place = placeName({ isoCode, name })
  if (isoCode === 'US' || isoCode === 'CA') return callingTexts.plusOne({ place })
  const codes = (countriesByIso.get(isoCode) ?? []).map(({ dialCode }) => dialCode.slice(2))
  return callingTexts.sharesPlusOne({
    place: `${place[0]?.toUpperCase()}${place.slice(1)}`,
    count: codes.length,
    codes: listed(codes),
  })
}
