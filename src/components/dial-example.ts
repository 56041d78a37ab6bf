import { countryOfIso } from '#lib/numbers/countries.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import { dialTexts } from './dial-texts.ts'

/** The role of a group of digits when dialling from abroad. */
export type DialPartKind = 'code' | 'add' | 'omit' | 'area' | 'rest'

export interface DialPart {
  readonly kind: DialPartKind
  /** Formatted group: `20`, `7946 0958`, `+44`. */
  readonly digits: string
  readonly label: string
}

/** A nationally written number, split for a caller abroad. */
export interface DialExample {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly isoCode: string
  /** In dialling order. Omitted digits keep their place. */
  readonly parts: readonly DialPart[]
  readonly written: string
  /** `+44 20 7946 0958`. */
  readonly international: string
}

/**
 * The area code is separate for landlines where the notation shows it: by a trunk prefix, by brackets, or in Italy and
 * in the plan of +1 by its position.
 * @param isoCode in any case @param written the national form with its trunk prefix: `020 7946 0958`
 * @throws Error when the country is not listed, or the number is not a callable number of it
 */
export function dialExample(isoCode: string, written: string): DialExample {
  const country = countryOfIso(isoCode)
  if (country === undefined) throw new Error(`${isoCode} is no country of our list`)
  const verdict = parseNumber(written, country)
  if (verdict.kind !== 'ok')
    throw new Error(`${written} is no number that can be called in ${country.isoCode} (${verdict.kind})`)
  if (verdict.isoCode !== country.isoCode)
    throw new Error(`${written} is a number of ${verdict.isoCode}, not of ${country.isoCode}`)

  const [code = '', ...groups] = verdict.formatted.split(' ')
  const { before, added, within } = difference(keepDialable(written), groups.join(''), country.isoCode)
  if (added !== '') groups.shift()
  const [first = '', ...others] = groups
  const hasArea =
    within !== '' ||
    code === '+1' ||
    written.includes(`(${before}${first})`) ||
    written.includes(`(${first})`) ||
    (verdict.type === 'landline' && (before !== '' || country.isoCode === 'IT'))
  const [areaCode, rest] = first.startsWith('0')
    ? [dialTexts.areaCodeZeroKept, dialTexts.restZeroKept]
    : [dialTexts.areaCode, dialTexts.rest]
  const parts: readonly (DialPart | false)[] = [
    { kind: 'code', digits: code, label: dialTexts.countryCode },
    added !== '' && { kind: 'add', digits: added, label: dialTexts.putIn },
    before !== '' && { kind: 'omit', digits: before, label: dialTexts.leaveOut },
    hasArea && { kind: 'area', digits: first, label: areaCode },
    within !== '' && { kind: 'omit', digits: within, label: dialTexts.leaveOut },
    hasArea
      ? { kind: 'rest', digits: others.join(' '), label: dialTexts.rest }
      : { kind: 'rest', digits: groups.join(' '), label: rest },
  ]
  return {
    isoCode: country.isoCode,
    parts: parts.filter(part => part !== false),
    written,
    international: verdict.formatted,
  }
}

interface Difference {
  /** Leading digits that are dialled only within the country. */
  readonly before: string
  /** Digits after the country code that are dialled only from abroad. */
  readonly added: string
  /** Digits after the area code that are dialled only within the country. */
  readonly within: string
}

/** Usually only a trunk prefix is dropped. Argentina's mobiles differ: 0 11 15 … at home, +54 9 11 … from abroad. */
function difference(atHome: string, abroad: string, isoCode: string): Difference {
  if (atHome.endsWith(abroad))
    return { before: atHome.slice(0, atHome.length - abroad.length), added: '', within: '' }
  const [, before = '', area, rest] = /^(0?)(\d{2,4})15(\d{6,8})$/.exec(atHome) ?? []
  if (isoCode === 'AR' && `9${area}${rest}` === abroad) return { before, added: '9', within: '15' }
  throw new Error(`${atHome} cannot be told apart from ${abroad}: write the number as it is dialled at home`)
}
