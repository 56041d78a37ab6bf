import { atom, computed, type ReadableAtom } from 'nanostores'
import { type Country, countryOfIso, defaultCountry, entryOfNumber } from '#lib/rules/countries.ts'
import { isLongEnoughForRate, keepDialable, shortestLookup } from '#lib/rules/dialable.ts'
import type { NumberVerdict } from '#lib/rules/phone.ts'
import { dismissNumberNotice } from './notice.ts'
import { $rate, healRate, watchRate } from './rate.ts'

/** What is entered: the chosen country, and digits with at most a leading plus. */
export interface Dial {
  readonly country: Country
  readonly typed: string
}

/** No number is longer; the field takes no more. */
const longestTyped = 32

type PhoneRules = typeof import('./number-rules.ts')

const $entered = atom<Dial>({ country: defaultCountry, typed: '' })
/** The number being entered. Written here alone. */
export const $dial: ReadableAtom<Dial> = $entered
/** The chosen country, and whether anything is typed: what looks at no more need not follow each digit. */
export const $country: ReadableAtom<Country> = computed($entered, ({ country }) => country)
export const $isEntered: ReadableAtom<boolean> = computed($entered, ({ typed }) => typed !== '')

const $played = atom('')
/** What is played once the call is answered, such as `,,123#`; empty for nothing. Written here alone. */
export const $extension: ReadableAtom<string> = $played

const $rules = atom<PhoneRules | null>(null)
/** What the numbering plans can tell; null until they are loaded. */
export const $phoneRules: ReadableAtom<PhoneRules | null> = $rules
/** What the numbering plans say about the number; null until they are loaded. */
export const $verdict: ReadableAtom<NumberVerdict | null> = computed(
  [$entered, $rules],
  ({ country, typed }, rules) => rules?.parseNumber(typed, country) ?? null,
)

/**
 * Why the number is not called, for the place where its rate would stand; null while there is nothing to
 * say. A number that is still being typed may well have no rate yet.
 */
export const $refusal: ReadableAtom<string | null> = computed(
  [$verdict, $rules, $rate],
  (verdict, rules, rate) => {
    if (verdict === null || rules === null) return null
    if (verdict.kind === 'unsupported' || verdict.kind === 'refused') {
      return rules.verdictMessage(verdict) ?? null
    }
    const unsold = verdict.kind === 'ok' && rate.kind === 'unsupported' && rate.number === verdict.e164
    return unsold ? rules.unsupportedMessage : null
  },
)

let loading: Promise<PhoneRules> | undefined

/** Loads the numbering plans, which are large: after the page can be used, before they are needed. */
export function loadPhoneRules(): Promise<PhoneRules> {
  loading ??= import('./number-rules.ts').then(
    rules => {
      $rules.set(rules)
      return rules
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** How a number abroad begins where that is not, or not only, with 00. */
const internationalPrefixes: Readonly<Record<string, string>> = { AU: '0011', JP: '010', RU: '810' }

/** The text without its international prefix; undefined where it has none. No country code begins with 0. */
function afterInternationalPrefix({ country, typed }: Dial): string | undefined {
  const own = country.dialCode.startsWith('+1') ? '011' : internationalPrefixes[country.isoCode]
  for (const prefix of [own, '00'])
    if (prefix !== undefined && typed.startsWith(prefix) && /^[1-9]/.test(typed.slice(prefix.length)))
      return typed.slice(prefix.length)
  return undefined
}

/** Whether the chosen country's code was typed without a plus. No national number of +1 begins with a 1. */
function beginsWithDialCode({ country, typed }: Dial): boolean {
  return typed.startsWith(country.dialCode.startsWith('+1') ? '1' : country.dialCode.slice(1))
}

/** The number in full, as far as it is typed: by the numbering plan, else by the specification's own rule. */
function fullNumber(dial: Dial, verdict: NumberVerdict | null): string {
  const { country, typed } = dial
  if (verdict?.kind === 'ok') return verdict.e164
  if (typed.startsWith('+')) return typed
  const abroad = afterInternationalPrefix(dial)
  if (abroad !== undefined) return `+${abroad}`
  if (beginsWithDialCode(dial)) return `+${typed}`
  return country.dialCode + typed.replace(/^0+/, '')
}

/** The number whose rate is to be shown; null while it is too short to have one. */
function ratedNumber(dial: Dial, verdict: NumberVerdict | null): string | null {
  const number = fullNumber(dial, verdict)
  return isLongEnoughForRate(dial.typed) && isLongEnoughForRate(number) ? number : null
}

/** The number in full, as far as it is typed; null while it is too short to be looked up. */
export const $fullNumber: ReadableAtom<string | null> = computed([$entered, $verdict], ratedNumber)

/** What is begun anew, or hardly begun, is another number. */
function mayHaveExtension({ typed }: Dial): boolean {
  return typed.length >= shortestLookup
}

function enter(next: Dial, extension: string): void {
  $played.set(mayHaveExtension(next) ? extension : '')
  const before = $entered.get()
  if (next.typed === before.typed && next.country === before.country) return
  $entered.set(next)
  dismissNumberNotice()
}

/** A number with its country's code that has just become whole shows its country, whichever was chosen. */
function showItsCountry(verdict: NumberVerdict | null, before: NumberVerdict | null | undefined): void {
  const { country, typed } = $entered.get()
  if (verdict?.kind !== 'ok' || !typed.startsWith('+')) return
  // A country that is chosen afterwards stays.
  if (before?.kind === 'ok' && before.e164 === verdict.e164) return
  if (country.isoCode !== verdict.isoCode) chooseCountry(entryOfNumber(verdict.e164, verdict.isoCode))
}

/** Keeps the rate and the country in step with the number, the rate also before the numbering plans are there. */
export function followNumber(): void {
  $fullNumber.subscribe(watchRate)
  $verdict.listen(showItsCountry)
  if (typeof window !== 'undefined') window.addEventListener('online', healRate)
}

/**
 * Takes another number, digits of any script and a leading plus (specification section 5), with what is to be played
 * once it answers, if anything.
 */
export function setNumber(text: string, extension = ''): void {
  enter({ ...$entered.get(), typed: keepDialable(text).slice(0, longestTyped) }, extension)
}

/** Takes what the field holds after an edit of its number. What is to be played stays as long as there is one. */
export function editNumber(text: string): void {
  setNumber(text, $played.get())
}

/** Takes what is to be played, as the numbering plans' `keepExtension` made it. */
export function setExtension(extension: string): void {
  $played.set(mayHaveExtension($entered.get()) ? extension : '')
}

/** Up to where an extension or words begin behind the digits. */
const beforeWords = /^\D*[^a-z,;#*]*/i

/**
 * Takes a number out of a text that was pasted or linked, in whatever form. Until the numbering plans are there it is
 * entered as well as can be told without them.
 */
export function enterWritten(text: string): void {
  const rules = $rules.get()
  if (rules !== null) {
    const { number, extension, country } = rules.readWrittenNumber(text, $entered.get().country)
    if (number !== '') enter({ country, typed: number.slice(0, longestTyped) }, extension)
    return
  }
  const draft = beforeWords.exec(text)?.[0] ?? ''
  if (keepDialable(draft) !== '') setNumber(draft)
  const { typed } = $entered.get()
  loadPhoneRules().then(
    () => {
      // The rules may have shown the draft's country already: only what was typed meanwhile counts as an edit.
      if ($entered.get().typed === typed) enterWritten(text)
    },
    () => undefined,
  )
}

/**
 * Takes what is pasted into the field.
 * @param over nothing of what the field holds is to stay
 * @returns whether it was taken as a number of its own; if not, it is put into the one that is there
 */
export function pasteNumber(text: string, over: boolean): boolean {
  const rules = $rules.get()
  const written = rules?.readWrittenNumber(text, $entered.get().country)
  // Beside a code that was typed, a number without one is its rest.
  const stands = written?.complete === true && written.number.startsWith('+')
  if (!over && !stands) return false
  enterWritten(text)
  return true
}

/** A key of the keypad: star and hash are no part of a number, and a plus only begins one. */
export function pressKey(key: string): void {
  editNumber($entered.get().typed + key)
}

/** The 0 of the keypad held down: a plus where a number begins, else what the key says. */
export function holdZero(): void {
  pressKey($entered.get().typed === '' ? '+' : '0')
}

export function deleteLast(): void {
  editNumber($entered.get().typed.slice(0, -1))
}

export function chooseCountry(country: Country): void {
  enter({ ...$entered.get(), country }, $played.get())
}

/** Chooses the country that a link names, `/call?country=in`; any other address leaves the choice as it is. */
export function chooseLinkedCountry(address: string): void {
  const country = countryOfIso(new URL(address).searchParams.get('country') ?? '')
  if (country !== undefined) chooseCountry(country)
}

/** A plus that a link's author left as it is, where an address means a space by it. */
const rawPlus = /([?&]number=(?:tel(?::|%3a))?)\+/i

/**
 * Enters the number that a link names, `/call?country=in&number=%2B919876543210`, in its country's own entry; also one
 * in another form, as a link `tel:` comes to an installed app.
 */
export function enterLinkedNumber(address: string): void {
  const text = new URL(address.replace(rawPlus, '$1%2B')).searchParams.get('number') ?? ''
  const number = keepDialable(text)
  if (number === '') return
  // Known without the numbering plans, which are not there yet.
  if (number.startsWith('+')) chooseCountry(entryOfNumber(number, $entered.get().country.isoCode))
  enterWritten(text)
}
