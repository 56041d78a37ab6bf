import { atom } from 'nanostores'
import { countryOfIso, defaultCountry } from '#lib/rules/countries.ts'

type Format = (e164: string, isoCode: string) => string

/** Spaces a number for reading. As it is in E.164 until the numbering plans, which are large, have been loaded. */
export const $formatNumber = atom<{ readonly format: Format }>({ format: e164 => e164 })

/** Loads the numbering plans. Where they do not load, numbers stay in E.164: nothing else depends on it. */
export async function loadNumberFormat(): Promise<void> {
  const { parseNumber } = await import('#lib/rules/phone.ts')
  $formatNumber.set({
    format(e164, isoCode) {
      const verdict = parseNumber(e164, countryOfIso(isoCode) ?? defaultCountry)
      return verdict.kind === 'ok' ? verdict.formatted : e164
    },
  })
}
