import { atom, computed, type ReadableAtom } from 'nanostores'
import { type Country, countries, countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { isLongEnoughForRate, keepDialable, shortestLookup } from '#lib/numbers/dialable.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { localStore } from '#session/storage.ts'
import { $phoneRules, loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import type { Rejection } from '#shared/numbers/rejection.ts'
import { afterPaint } from '#ui/after-paint.ts'
import { dismissNumberNotice } from '../notice.ts'
import { followCallFrom, healRate, watchRate } from './rate.ts'

/** `typed`: digits with at most a leading plus. */
export interface Dial {
  readonly country: Country
  readonly typed: string
}

/** The max length of the field; no number is longer. */
const longestTyped = 32

/** Key of the country that was last chosen or called, by its id. */
export const countryKey = 'dialCountry'

const $entered = atom<Dial>({
  country: countries.find(({ id }) => id === localStore.read(countryKey)) ?? defaultCountry,
  typed: '',
})
export const $dial: ReadableAtom<Dial> = $entered
/** Change less often than `$dial`, for what does not need each digit. */
export const $country: ReadableAtom<Country> = computed($entered, ({ country }) => country)
export const $isEntered: ReadableAtom<boolean> = computed($entered, ({ typed }) => typed !== '')

const $played = atom('')
/** DTMF to play after the answer, such as `,,123#`; empty for none. */
export const $extension: ReadableAtom<string> = $played

const $painted = atom($entered.get())
/** `$dial` as last painted. What the page says about the number follows this one, so that a digit shows first. */
export const $paintedDial: ReadableAtom<Dial> = $painted
const catchUp = (): void => $painted.set($entered.get())

/** The numbering plans' view of `$paintedDial`; null until they are loaded. */
export const $verdict: ReadableAtom<NumberVerdict | null> = computed(
  [$painted, $phoneRules],
  ({ country, typed }, rules) => rules?.parseNumber(typed, country) ?? null,
)

/** The numbering plans' view of the number in the field, painted or not; null until they are loaded. A press decides by it. */
export function verdictNow(): NumberVerdict | null {
  catchUp()
  return $verdict.get()
}

const $found = atom<Rejection | null>(null)
/** Why the number can never be called; null if it can, or while that is uncertain. */
export const $rejection: ReadableAtom<Rejection | null> = $found
export const setRejection = (rejection: Rejection | null): void => $found.set(rejection)

/** International prefixes of countries that do not, or not only, use 00. */
const internationalPrefixes: Readonly<Record<string, string>> = { AU: '0011', JP: '010', RU: '810' }

/** The text without its international prefix; undefined if it has none. No country code begins with 0. */
function afterInternationalPrefix({ country, typed }: Dial): string | undefined {
  const own = country.dialCode.startsWith('+1') ? '011' : internationalPrefixes[country.isoCode]
  for (const prefix of [own, '00'])
    if (prefix !== undefined && typed.startsWith(prefix) && /^[1-9]/.test(typed.slice(prefix.length)))
      return typed.slice(prefix.length)
  return undefined
}

/** Whether the country's code was typed without a plus. No national number of +1 begins with 1. */
function beginsWithDialCode({ country, typed }: Dial): boolean {
  return typed.startsWith(country.dialCode.startsWith('+1') ? '1' : country.dialCode.slice(1))
}

/** The full number as typed so far, by the numbering plan or else by SPEC-5.7. */
function fullNumber(dial: Dial, verdict: NumberVerdict | null): string {
  const { country, typed } = dial
  if (verdict?.kind === 'ok') return verdict.e164
  if (typed.startsWith('+')) return typed
  const abroad = afterInternationalPrefix(dial)
  if (abroad !== undefined) return `+${abroad}`
  if (beginsWithDialCode(dial)) return `+${typed}`
  return country.dialCode + typed.replace(/^0+/, '')
}

function ratedNumber(dial: Dial, verdict: NumberVerdict | null): string | null {
  const number = fullNumber(dial, verdict)
  return isLongEnoughForRate(dial.typed) && isLongEnoughForRate(number) ? number : null
}

/** The full number as typed so far; null while it is too short for a lookup. */
export const $fullNumber: ReadableAtom<string | null> = computed([$painted, $verdict], ratedNumber)

/** Once nearly all digits are deleted, the number is a new one. */
function mayHaveExtension({ typed }: Dial): boolean {
  return typed.length >= shortestLookup
}

function enter(next: Dial, extension: string): void {
  $played.set(mayHaveExtension(next) ? extension : '')
  const before = $entered.get()
  if (next.typed === before.typed && next.country === before.country) return
  $entered.set(next)
  dismissNumberNotice()
  afterPaint(catchUp)
}

export function followNumber(): void {
  $fullNumber.subscribe(watchRate)
  followCallFrom()
  if (typeof window !== 'undefined') window.addEventListener('online', healRate)
}

/** @param text digits of any script with a leading plus (SPEC-5.7) */
export function setNumber(text: string, extension = ''): void {
  enterNumber($entered.get().country, text, extension)
}

/** Enters a number of another place on the page, with its country: as if pasted, so the country counts as no choice. */
export function enterNumber(country: Country, number: string, extension = ''): void {
  enter({ country, typed: keepDialable(number).slice(0, longestTyped) }, extension)
}

/** Sets the number after an edit of the field; keeps the extension unless the number is nearly empty. */
export function editNumber(text: string): void {
  setNumber(text, $played.get())
}

/** @param extension as made by `keepExtension` of the numbering plans */
export function setExtension(extension: string): void {
  $played.set(mayHaveExtension($entered.get()) ? extension : '')
}

const leadingNumber = /^\D*[^a-z,;#*]*/i

/** Enters a number in any written form; a best guess until the numbering plans are loaded. */
export function enterWritten(text: string): void {
  const rules = $phoneRules.get()
  if (rules !== null) {
    const { number, extension, country } = rules.readWrittenNumber(text, $entered.get().country)
    if (number !== '') enter({ country, typed: number.slice(0, longestTyped) }, extension)
    return
  }
  const draft = leadingNumber.exec(text)?.[0] ?? ''
  if (keepDialable(draft) !== '') setNumber(draft)
  const { typed } = $entered.get()
  loadPhoneRules().then(
    () => {
      // The rules may have selected the draft's country; only a change of the digits counts as an edit.
      if ($entered.get().typed === typed) enterWritten(text)
    },
    () => undefined,
  )
}

/** @param over whether all of the field is replaced @returns false if the caller must insert the text by itself */
export function pasteNumber(text: string, over: boolean): boolean {
  const rules = $phoneRules.get()
  const written = rules?.readWrittenNumber(text, $entered.get().country)
  // Without a country code, the text may be the rest of a typed number.
  const stands = written?.complete === true && written.number.startsWith('+')
  if (!over && !stands) return false
  enterWritten(text)
  return true
}

/** Star and hash are not part of a number; a plus may only begin one. */
export function pressKey(key: string): void {
  editNumber($entered.get().typed + key)
}

/** Holding 0 enters a plus at the start of a number, otherwise a 0. */
export function holdZero(): void {
  pressKey($entered.get().typed === '' ? '+' : '0')
}

export function deleteLast(): void {
  editNumber($entered.get().typed.slice(0, -1))
}

export function chooseCountry(country: Country): void {
  enter({ ...$entered.get(), country }, $played.get())
}

/** Selects the country of a link, `/call?country=in`; other addresses change nothing. */
export function chooseLinkedCountry(address: string): void {
  const country = countryOfIso(new URL(address).searchParams.get('country') ?? '')
  if (country !== undefined) chooseCountry(country)
}

/** A plus that the link's author did not escape; in a URL it would mean a space. */
const rawPlus = /([?&#]number=(?:tel(?::|%3a))?)\+/i

/**
 * Enters the number of a link, `/call?country=in#number=%2B919876543210`, or of a `tel:` link that opened the installed
 * app. Our links have it in the fragment, which browsers do not send to servers; other links may have it in the query.
 */
export function enterLinkedNumber(address: string): void {
  const { hash, searchParams } = new URL(address.replace(rawPlus, '$1%2B'))
  const text = new URLSearchParams(hash.slice(1)).get('number') ?? searchParams.get('number') ?? ''
  const number = keepDialable(text)
  if (number === '') return
  enterWritten(text)
}
