import { atom } from 'nanostores'
import { defaultCountry } from '#lib/numbers/countries.ts'

export interface Party {
  /** Spaced for reading. */
  readonly formatted: string
  /** For the flag; null if the country is unknown. */
  readonly isoCode: string | null
}

/** Returns E.164 until the numbering plans, which are large, are loaded. */
export const $readParty = atom<{ readonly read: (e164: string) => Party }>({
  read: e164 => ({ formatted: e164, isoCode: null }),
})

/** Loads the numbering plans. If they fail to load, numbers stay in E.164. */
export async function loadParties(): Promise<void> {
  const { parseNumber } = await import('#lib/numbers/phone.ts')
  $readParty.set({
    read(e164) {
      const verdict = parseNumber(e164, defaultCountry)
      return verdict.kind === 'ok'
        ? { formatted: verdict.formatted, isoCode: verdict.isoCode }
        : { formatted: e164, isoCode: null }
    },
  })
}
