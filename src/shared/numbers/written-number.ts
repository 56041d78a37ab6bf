import { type Country, entryOfNumber } from '#lib/numbers/countries.ts'
import { keepDialable, latinDigits } from '#lib/numbers/dialable.ts'
import { type NumberVerdict, parseNumber } from '#lib/numbers/phone.ts'
import { extensionOf, parameters } from './number-tail.ts'

export interface WrittenNumber {
  /** Digits, with a plus if the text gave the country; empty if there are no digits. */
  readonly number: string
  readonly extension: string
  /** The number's own entry if the text gave the country, else the chosen one. */
  readonly country: Country
  readonly complete: boolean
}

/** Max characters read; a contact card is shorter. */
const longestText = 2000
const maxRuns = 12

/**
 * Reads one number from a text: `tel:` links (RFC 3966), contact cards, sentences, any separators and scripts, a
 * bracketed trunk zero, an extension, keypad letters (`1-800-FLOWERS`). Of several numbers it takes the first
 * international one, else the first complete one, else the longest. Never throws.
 */
export function readWrittenNumber(text: string, chosen: Country): WrittenNumber {
  const plain = plainText(text)
  let best: Reading | undefined
  let longest = ''
  for (const run of [...plain.matchAll(runShape)].slice(0, maxRuns)) {
    const reading = readLines(run[0], plain.slice(run.index + run[0].trimEnd().length), chosen)
    if (keepDialable(reading.number).length > longest.length) longest = keepDialable(run[0])
    if (best === undefined || reading.rank > best.rank) best = reading
  }
  if (best === undefined) return { number: '', extension: '', country: chosen, complete: false }
  const { rank, ...written } = best
  return rank > incomplete ? written : { ...written, number: longest.length > 0 ? longest : written.number }
}

interface Reading extends WrittenNumber {
  readonly rank: number
}

const incomplete = 0
const national = 1
const international = 2

const runShape = /\+?[ \t]?[([]?\d[\d \t()[\].\-/~_·•]*/g

/** Maps Unicode digits and signs to ASCII and drops invisible marks. */
function plainText(text: string): string {
  const decoded = decode(text.slice(0, longestText))
  let plain = ''
  for (const character of latinDigits(decoded.replace(/\p{Cf}/gu, ''))) {
    const code = character.charCodeAt(0)
    if ('﹢⁺'.includes(character)) plain += '+'
    else if (code >= 0xff01 && code <= 0xff5e) plain += String.fromCharCode(code - 0xfee0)
    else if (/\p{Pd}/u.test(character)) plain += '-'
    else plain += /\p{Zs}/u.test(character) ? ' ' : character
  }
  return plain
}

function decode(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const nextLine = /^\s*[\r\n]\s*([\d \t()[\].\-/~_·•]+)/

/** An incomplete number with a plus may continue on the next two lines. */
function readLines(first: string, rest: string, chosen: Country): Reading {
  const reading = readRun(first, rest, chosen)
  if (reading.rank > incomplete || !first.startsWith('+')) return reading
  let [run, after] = [first, rest]
  for (let lines = 0; lines < 2; lines += 1) {
    const next = nextLine.exec(after)
    if (next === null) break
    run += ` ${next[1]}`
    after = after.slice(next[0].trimEnd().length)
    const joined = readRun(run, after, chosen)
    if (joined.rank === international) return joined
  }
  return reading
}

function readRun(run: string, rest: string, chosen: Country): Reading {
  const given = parameters(rest)
  const extension = extensionOf(rest, given, chosen)
  for (const number of spellings(run, given.context)) {
    const reading = judge(number, extension, chosen)
    if (reading !== undefined) return reading
  }
  if (extension === '')
    for (const number of onKeypad(run, rest)) {
      const reading = judge(number, '', chosen)
      const verdict = parseNumber(number, chosen)
      // Only toll-free numbers are advertised with words; after other numbers, words are just text.
      if (reading !== undefined && verdict.kind === 'ok' && verdict.type === 'toll_free') return reading
    }
  return { number: keepDialable(run), extension, country: chosen, complete: false, rank: incomplete }
}

/** The number as written, and without a bracketed trunk zero: `+44 (0)20`. */
function* spellings(run: string, context: string): Generator<string> {
  const without = run.replace(/[([]\s*0\s*[)\]]/, '')
  // In Italy, San Marino and the Vatican the zero belongs to the number, so the brackets are a mistake.
  const both = /^\+?(?:00)?\s?3(?:9|78)/.test(run.trim()) ? [run, without] : [without, run]
  for (const text of both) {
    const digits = keepDialable(text)
    if (context !== '' && !digits.startsWith('+')) yield context + digits.replace(/^0/, '')
    // Mexican mobiles had an extra 1 until 2019; many contacts still do.
    const [, mexican] = /^(?:\+|00)521(\d{10})$/.exec(digits) ?? []
    if (mexican !== undefined) yield `+52${mexican}`
    yield digits
    // After the slash comes another number, or this one's alternative last digits: `7946 0958 / 0959`.
    const [, first = ''] = /^([^/]*\d)\s*\/\s*\d/.exec(text) ?? []
    if (first !== '') yield keepDialable(first)
  }
}

const internationalPrefix = /^(?:0011|011|010|810|00)(?=[1-9])/

function judge(number: string, extension: string, chosen: Country): Reading | undefined {
  const verdict: NumberVerdict = parseNumber(number, chosen)
  if (verdict.kind !== 'ok') return undefined
  const { e164, isoCode } = verdict
  const abroad = number.startsWith('+') || number.replace(internationalPrefix, '+') === e164
  return abroad
    ? { number: e164, extension, country: entryOfNumber(e164, isoCode), complete: true, rank: international }
    : { number, extension, country: chosen, complete: true, rank: national }
}

const letterKeys = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ']

const tollFreeCode = /^(?:\+?1|0)?8\d\d$/
const letterSuffix = /^-?[A-Za-z]+(?:-[A-Za-z0-9]+)*/
/** After a bare toll-free code the word may follow a space, in capitals. */
const letterSuffixOrSpaced = /^(?:-?[A-Za-z]+| [A-Z]{3,})(?:-[A-Za-z0-9]+)*/

/** Converts letters after digits to keys (ITU-T E.161); with +1, letters past the tenth digit are ignored. */
function* onKeypad(run: string, rest: string): Generator<string> {
  const before = keepDialable(run)
  const shape = /-\s*$/.test(run) || !tollFreeCode.test(before) ? letterSuffix : letterSuffixOrSpaced
  const word = shape.exec(rest)?.[0] ?? ''
  const letters = word.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  if (before.length < 3 || letters.length < 3 || letters.length > 15) return
  const keys = letters.replace(/[A-Z]/g, letter => String(letterKeys.findIndex(key => key.includes(letter))))
  const number = before + keys
  yield number
  const [, code = ''] = /^(\+?1)\d{10}/.exec(number) ?? []
  yield number.slice(0, code.length + 10)
}
