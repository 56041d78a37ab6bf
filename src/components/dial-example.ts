import { countryOfIso } from '#lib/rules/countries.ts'
import { keepDialable } from '#lib/rules/dialable.ts'
import { parseNumber } from '#lib/rules/phone.ts'

/** What a group of digits is to somebody who dials from abroad. */
export type DialPartKind = 'code' | 'add' | 'omit' | 'area' | 'rest'

export interface DialPart {
  readonly kind: DialPartKind
  /** As printed, in groups: `20`, `7946 0958`, `+44`. */
  readonly digits: string
  /** What stands beneath it. */
  readonly label: string
}

/** A number as it is written in its country, taken apart for a caller abroad. */
export interface DialExample {
  /** Upper case. */
  readonly isoCode: string
  /** In the order of dialling; what is left out stands where it was. */
  readonly parts: readonly DialPart[]
  /** As written. */
  readonly written: string
  /** `+44 20 7946 0958`. */
  readonly international: string
}

/**
 * Takes apart a number as people of a country write it. The area code is told apart where the number is a
 * landline's and shows it: by its trunk prefix, by brackets, or in Italy and in the plan of +1 by its place.
 * @param isoCode of a country we list, in any case
 * @param written the national form, with whatever trunk prefix it has there: `020 7946 0958`
 * @throws Error when the country is not listed, or the number is none of that country, or not one we call
 */
export function dialExample(isoCode: string, written: string): DialExample {
  const country = countryOfIso(isoCode)
  if (country === undefined) throw new Error(`${isoCode} is no country of our list`)
  const verdict = parseNumber(written, country)
  if (verdict.kind !== 'ok')
    throw new Error(`${written} is no number that can be called in ${country.name} (${verdict.kind})`)
  if (verdict.isoCode !== country.isoCode)
    throw new Error(`${written} is a number of ${verdict.isoCode}, not of ${country.name}`)

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
  const keepsZero = first.startsWith('0') ? ', zero kept' : ''
  const parts: readonly (DialPart | false)[] = [
    { kind: 'code', digits: code, label: 'country code' },
    added !== '' && { kind: 'add', digits: added, label: 'put in' },
    before !== '' && { kind: 'omit', digits: before, label: 'leave out' },
    hasArea && { kind: 'area', digits: first, label: `area code${keepsZero}` },
    within !== '' && { kind: 'omit', digits: within, label: 'leave out' },
    hasArea
      ? { kind: 'rest', digits: others.join(' '), label: 'the rest' }
      : { kind: 'rest', digits: groups.join(' '), label: `the rest${keepsZero}` },
  ]
  return {
    isoCode: country.isoCode,
    parts: parts.filter(part => part !== false),
    written,
    international: verdict.formatted,
  }
}

interface Difference {
  /** Digits that lead at home and are not dialled from abroad. */
  readonly before: string
  /** Digits that only a call from abroad has, after the country code. */
  readonly added: string
  /** Digits left out after the area code. */
  readonly within: string
}

/**
 * How the number at home differs from its national part abroad. Everywhere it only loses a trunk prefix,
 * except for Argentina's mobiles: 0 11 15 … at home, +54 9 11 … from abroad.
 */
function difference(atHome: string, abroad: string, isoCode: string): Difference {
  if (atHome.endsWith(abroad))
    return { before: atHome.slice(0, atHome.length - abroad.length), added: '', within: '' }
  const [, before = '', area, rest] = /^(0?)(\d{2,4})15(\d{6,8})$/.exec(atHome) ?? []
  if (isoCode === 'AR' && `9${area}${rest}` === abroad) return { before, added: '9', within: '15' }
  throw new Error(`${atHome} cannot be told apart from ${abroad}: write the number as it is dialled at home`)
}
