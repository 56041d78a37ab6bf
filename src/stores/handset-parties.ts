import { atom } from 'nanostores'
import { defaultCountry } from '#lib/rules/countries.ts'

/** A number as a telephone shows it. */
export interface Party {
  /** Spaced for reading. */
  readonly formatted: string
  /** Whose flag it bears; null where its country is not known. */
  readonly isoCode: string | null
}

/** Reads an E.164 number with the plus; as it is until the numbering plans, which are large, have been loaded. */
export const $readParty = atom<{ readonly read: (e164: string) => Party }>({
  read: e164 => ({ formatted: e164, isoCode: null }),
})

/** Loads the numbering plans. Where they do not load, numbers stay in E.164: nothing else depends on it. */
export async function loadParties(): Promise<void> {
  const { parseNumber } = await import('#lib/rules/phone.ts')
  $readParty.set({
    read(e164) {
      const verdict = parseNumber(e164, defaultCountry)
      return verdict.kind === 'ok'
        ? { formatted: verdict.formatted, isoCode: verdict.isoCode }
        : { formatted: e164, isoCode: null }
    },
  })
}
