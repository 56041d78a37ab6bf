import { memoised } from '../memoised.ts'
import { currentLanguage, withLatinDigits } from './language.ts'

/** What a compiled message calls. Values come from the message's arguments, texts from its language. */
export interface Formats {
  number(value: number): string
  /** @param forms by CLDR plural category, or `=2` for the exact value; `other` is always there */
  plural<T>(value: number, forms: Readonly<Record<string, T>>, offset?: number, ordinal?: boolean): T
  select<T>(value: string, cases: Readonly<Record<string, T>>): T
}

const numbersIn = memoised(language => new Intl.NumberFormat(withLatinDigits(language)))
const cardinalsIn = memoised(language => new Intl.PluralRules(language))
const ordinalsIn = memoised(language => new Intl.PluralRules(language, { type: 'ordinal' }))

export function formatsOf(language: string): Formats {
  return {
    number: value => numbersIn(language).format(value),
    plural: (value, forms, offset = 0, ordinal = false) => {
      const rules = (ordinal ? ordinalsIn : cardinalsIn)(language)
      return oneOf(forms, `=${value}`, rules.select(value - offset))
    },
    select: (value, cases) => oneOf(cases, value),
  }
}

function oneOf<T>(choices: Readonly<Record<string, T>>, ...keys: readonly string[]): T {
  const key = keys.find(each => Object.hasOwn(choices, each)) ?? 'other'
  return choices[key] as T
}

/** In a browser: the formats of the page's language, for the messages that the build puts into scripts. @public */
export const formats = formatsOf(currentLanguage())
