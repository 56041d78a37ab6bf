import { atom, computed, type ReadableAtom } from 'nanostores'
import { type Country, defaultCountry } from '#lib/rules/countries.ts'
import { isLongEnoughForRate, keepDialable } from '#lib/rules/dialable.ts'
import type { NumberVerdict } from '#lib/rules/phone.ts'
import { dismissNumberNotice } from './notice.ts'
import { watchRate } from './rate.ts'

/** What is entered: the chosen country, and digits with at most a leading plus. */
export interface Dial {
  readonly country: Country
  readonly typed: string
}

/** No number is longer; the field takes no more. */
const longestTyped = 32

type PhoneRules = typeof import('#lib/rules/phone.ts')

const $entered = atom<Dial>({ country: defaultCountry, typed: '' })
/** The number being entered. Written here alone. */
export const $dial: ReadableAtom<Dial> = $entered

const $rules = atom<PhoneRules | null>(null)
/** What the numbering plans say about the number; null until they are loaded. */
export const $verdict: ReadableAtom<NumberVerdict | null> = computed(
  [$entered, $rules],
  ({ country, typed }, rules) => rules?.parseNumber(typed, country) ?? null,
)

let loading: Promise<PhoneRules> | undefined

/** Loads the numbering plans, which are large: after the page can be used, before they are needed. */
export function loadPhoneRules(): Promise<PhoneRules> {
  loading ??= import('#lib/rules/phone.ts').then(
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

/** The number in full, as far as it is typed: by the numbering plan, else by the specification's own rule. */
function fullNumber({ country, typed }: Dial, verdict: NumberVerdict | null): string {
  if (verdict?.kind === 'ok') return verdict.e164
  if (typed.startsWith('+')) return typed
  if (typed.startsWith('00')) return `+${typed.slice(2)}`
  return country.dialCode + typed.replace(/^0+/, '')
}

function enter(next: Dial): void {
  const before = $entered.get()
  if (next.typed === before.typed && next.country === before.country) return
  $entered.set(next)
  dismissNumberNotice()
}

/** Keeps the rate in step with the number, also before the numbering plans are there. */
export function followNumber(): void {
  const look = () => {
    const dial = $entered.get()
    watchRate(isLongEnoughForRate(dial.typed) ? fullNumber(dial, $verdict.get()) : null)
  }
  $entered.subscribe(look)
  $rules.listen(look)
}

/** Takes what the field holds; digits of any script and a leading plus are kept (specification section 5). */
export function setNumber(text: string): void {
  enter({ ...$entered.get(), typed: keepDialable(text).slice(0, longestTyped) })
}

/** A key of the keypad: star and hash are no part of a number, and a plus only begins one. */
export function pressKey(key: string): void {
  setNumber($entered.get().typed + key)
}

export function deleteLast(): void {
  setNumber($entered.get().typed.slice(0, -1))
}

export function chooseCountry(country: Country): void {
  enter({ ...$entered.get(), country })
}
