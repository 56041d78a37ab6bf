import { type Country, entryOfNumber } from './countries.ts'
import { digitOf, keepDialable } from './dialable.ts'
import { extensionOf, parameters } from './number-tail.ts'
import { type NumberVerdict, parseNumber } from './phone.ts'

/** A number out of a text that was pasted or linked. */
export interface WrittenNumber {
  /** Digits, with a plus where the text told the country; empty where there is no digit. */
  readonly number: string
  /** Pauses and digits to be played after the answer; empty for none. */
  readonly extension: string
  /** The number's own entry where the text told its country, else the chosen one. */
  readonly country: Country
  /** Whether it can be called as it is. */
  readonly complete: boolean
}

/** Characters that are read; a contact card is shorter. */
const longestText = 2000
/** Runs of digits that are tried; a text with more is no number with words around it. */
const mostRuns = 12

/**
 * Reads the one number in a text: `tel:` links (RFC 3966), contact cards, sentences, any separators and scripts, a trunk
 * zero in brackets, an extension behind it, letters of a keypad (`1-800-FLOWERS`). Of several the first that is
 * international, else the first that is whole, else the longest. Any text is fine; nothing is thrown.
 */
export function readWrittenNumber(text: string, chosen: Country): WrittenNumber {
  const plain = plainText(text)
  let best: Reading | undefined
  let longest = ''
  for (const run of [...plain.matchAll(runShape)].slice(0, mostRuns)) {
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

/** Digits with what stands between them on one line. */
const runShape = /\+?[ \t]?[([]?\d[\d \t()[\].\-/~_·•]*/g

/** ASCII where a character stands for it, without marks that are not seen. */
function plainText(text: string): string {
  const decoded = decode(text.slice(0, longestText))
  let plain = ''
  for (const character of decoded.replace(/\p{Cf}/gu, '')) {
    const code = character.charCodeAt(0)
    const digit = digitOf(code)
    if (digit !== undefined) plain += digit
    else if ('﹢⁺'.includes(character)) plain += '+'
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

/** The line that follows, as far as it may belong to a number. */
const nextLine = /^\s*[\r\n]\s*([\d \t()[\].\-/~_·•]+)/

/** A number that has a plus and is not whole may go on in the next two lines. */
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
      // Others are not advertised so: what follows them are words.
      if (reading !== undefined && verdict.kind === 'ok' && verdict.type === 'toll_free') return reading
    }
  return { number: keepDialable(run), extension, country: chosen, complete: false, rank: incomplete }
}

/** The number as written, and without the zero that is only dialled within the country: `+44 (0)20`. */
function* spellings(run: string, context: string): Generator<string> {
  const without = run.replace(/[([]\s*0\s*[)\]]/, '')
  // Where the zero belongs to the number it is in brackets by mistake: Italy, San Marino, the Vatican.
  const both = /^\+?(?:00)?\s?3(?:9|78)/.test(run.trim()) ? [run, without] : [without, run]
  for (const text of both) {
    const digits = keepDialable(text)
    if (context !== '' && !digits.startsWith('+')) yield context + digits.replace(/^0/, '')
    // Mexico's mobiles were called so until 2019, and stand so in many contacts.
    const [, mexican] = /^(?:\+|00)521(\d{10})$/.exec(digits) ?? []
    if (mexican !== undefined) yield `+52${mexican}`
    yield digits
    // What follows is another number, or how this one's last digits differ in it: `7946 0958 / 0959`.
    const [, first = ''] = /^([^/]*\d)\s*\/\s*\d/.exec(text) ?? []
    if (first !== '') yield keepDialable(first)
  }
}

/** International prefixes of the countries that we sell. */
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
const beside = /^-?[A-Za-z]+(?:-[A-Za-z0-9]+)*/
/** Behind the bare code a word in capitals may stand apart. */
const besideOrSpaced = /^(?:-?[A-Za-z]+| [A-Z]{3,})(?:-[A-Za-z0-9]+)*/

/** The keys (ITU-T E.161) of letters that follow digits; with +1 letters beyond the tenth digit are surplus. */
function* onKeypad(run: string, rest: string): Generator<string> {
  const before = keepDialable(run)
  const shape = /-\s*$/.test(run) || !tollFreeCode.test(before) ? beside : besideOrSpaced
  const word = shape.exec(rest)?.[0] ?? ''
  const letters = word.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  if (before.length < 3 || letters.length < 3 || letters.length > 15) return
  const keys = letters.replace(/[A-Z]/g, letter => String(letterKeys.findIndex(key => key.includes(letter))))
  const number = before + keys
  yield number
  const [, code = ''] = /^(\+?1)\d{10}/.exec(number) ?? []
  yield number.slice(0, code.length + 10)
}
