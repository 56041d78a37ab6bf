import { atom } from 'nanostores'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'

type Format = (e164: string, isoCode: string) => string

/** Spaces a number for reading; returns E.164 until the numbering plans, which are large, are loaded. */
export const $formatNumber = atom<{ readonly format: Format }>({ format: e164 => e164 })

/** Loads the numbering plans. If they fail to load, numbers stay in E.164. */
export async function loadNumberFormat(): Promise<void> {
  const { parseNumber } = await import('#lib/numbers/phone.ts')
  $formatNumber.set({
    format(e164, isoCode) {
      const verdict = parseNumber(e164, countryOfIso(isoCode) ?? defaultCountry)
      return verdict.kind === 'ok' ? verdict.formatted : e164
    },
  })
}
