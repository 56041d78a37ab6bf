import { atom, type ReadableAtom } from 'nanostores'

type PhoneRules = typeof import('./number-rules.ts')

const $rules = atom<PhoneRules | null>(null)
export const $phoneRules: ReadableAtom<PhoneRules | null> = $rules

let loading: Promise<PhoneRules> | undefined

/** Loads the numbering plans. They are large, so they come after the page is usable. Rejects if they do not load. */
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
