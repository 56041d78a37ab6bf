import { type Country, countriesByIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { type DialExample, dialExample } from '../dial-example.ts'
import { homeExamples } from './home-examples.ts'

export interface NamedExample extends DialExample {
  /** What the number is: `mobile`, `landline` or `mobile or landline`. */
  readonly what: string
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
  return { examples, trunk, advice: own[isoCode] ?? advice(country, examples, trunk, dropped) }
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
      ? example.parts.map(part => (part === area ? { ...part, label: 'network code' } : part))
      : example.parts
          .filter(part => part !== area)
          .map(part => (part.kind === 'rest' ? { ...part, digits: `${area.digits} ${part.digits}` } : part))
  return { ...example, parts }
}

/** What is struck out before the number: `0` of `020 7946 0123`. */
function trunkOf({ parts }: DialExample): string {
  return parts.find(part => part.kind === 'omit')?.digits ?? ''
}

/** Plans that need a sentence of their own. Sources: ITU-T E.129; MX August 2019, CI January 2021, BJ November 2024. */
const own: Readonly<Record<string, string>> = {
  AR: "Argentine mobiles change the most. At home they're 0, the area code, 15 and the number. From abroad, drop the 0 and the 15 and put a 9 after +54. Landlines only lose the 0.",
  BJ: 'Every number in Benin has ten digits and begins with 01; keep that 0. A number with eight digits is an old one: put 01 in front of it.',
  BR: 'Within Brazil, people dial 0 and the two digits of a phone company before the area code. From abroad, leave those out. Always dial the area code; mobiles have a 9 after it.',
  BY: "Within Belarus, people dial 8 and then 0 first. From abroad, leave out both: after +375 comes the area code or the mobile network's two digits.",
  CI: "Keep the 0 at the front, it's part of the number: numbers in Côte d’Ivoire have ten digits. One with eight digits is from before 2021 and no longer works.",
  HU: 'Within Hungary, long numbers begin with 06. From abroad, leave out both digits.',
  IT: "Italian landlines keep their 0: drop it and the call won't connect. Mobiles begin with a 3 and have no 0 to keep. The Vatican’s numbers, 06 698, are dialled like those in Rome.",
  KZ: "Within Kazakhstan, long numbers begin with 8. From abroad, leave out the 8. The number itself begins with a 7, right after the country code's 7: dial both.",
  MX: 'Ten digits after +52, for mobiles as for landlines. Leave out the 01, 044 or 045 you may find on old letterheads, and the 1 after +52.',
  RU: 'Within Russia, long numbers begin with 8. From abroad, +7 takes its place.',
}

function advice(
  country: Country,
  examples: readonly DialExample[],
  trunk: string,
  dropped: 'both' | 'some',
): string {
  const place = placeName(country)
  if (country.dialCode.startsWith('+1')) return northAmericanAdvice(country)
  if (trunk === '')
    return `Numbers in ${place} are written without a leading zero: dial all the digits after ${country.dialCode}.`
  const left = `From abroad, leave out the ${trunk}.`
  if (dropped === 'some') {
    const without = examples.find(example => trunkOf(example) === '')
    return `Numbers written with a leading ${trunk} in ${place} lose it from abroad. Others, such as ${without?.written}, are dialled as they are.`
  }
  return `Numbers in ${place} are written with a leading ${trunk}. ${left} If you type it anyway, the dialler leaves it out for you.`
}

function northAmericanAdvice({ isoCode, name }: Country): string {
  const place = placeName({ isoCode, name })
  if (isoCode === 'US' || isoCode === 'CA')
    return `Dial +1, a three-digit area code and seven more digits. The 1 that people in ${place} dial first is the country code itself, so don't dial it twice.`
  const codes = (countriesByIso.get(isoCode) ?? []).map(({ dialCode }) => dialCode.slice(2))
  const area = codes.length === 1 ? 'its area code is' : 'its area codes are'
  return `${place[0]?.toUpperCase()}${place.slice(1)} shares +1 with the United States and Canada; ${area} ${listed(codes)}. Dial all seven digits after it.`
}

/** `809, 829 and 849`. */
export function listed(words: readonly string[], last = 'and'): string {
  const [end = '', ...front] = words.toReversed()
  return front.length === 0 ? end : `${front.toReversed().join(', ')} ${last} ${end}`
}
