import { currentLanguage } from './language.ts'
import { withLatinDigits } from './memoised.ts'

/** What a compiled message calls. Values come from the message's arguments, texts from its language. */
export interface Formats {
  number(value: number): string
  /** @param forms by CLDR plural category, or `=2` for the exact value; `other` is always there */
  plural<T>(value: number, forms: Readonly<Record<string, T>>, offset?: number, ordinal?: boolean): T
  select<T>(value: string, cases: Readonly<Record<string, T>>): T
}

export function formatsOf(language: string): Formats {
  const numbers = new Intl.NumberFormat(withLatinDigits(language))
  return {
    number: value => numbers.format(value),
    plural: (value, forms, offset = 0, ordinal = false) => {
      const rules = new Intl.PluralRules(language, { type: ordinal ? 'ordinal' : 'cardinal' })
      return oneOf(forms, `=${value}`, rules.select(value - offset))
    },
    select: (value, cases) => oneOf(cases, value),
  }
}

function oneOf<T>(choices: Readonly<Record<string, T>>, ...keys: readonly string[]): T {
  const key = keys.find(each => Object.hasOwn(choices, each)) ?? 'other'
  return choices[key] as T
}

let shown: Formats | undefined

/** The formats of the page's language, for the messages that the build puts into scripts. @public */
export const formats: Formats = {
  number: value => page().number(value),
  plural: (...plural) => page().plural(...plural),
  select: (...select) => page().select(...select),
}

function page(): Formats {
  shown ??= formatsOf(currentLanguage())
  return shown
}
