import { countries, countriesByIso } from '#lib/numbers/countries.ts'

/** ISO codes of the other countries with the very same dial code: of Russia's +7, Kazakhstan. */
export function sharingCode(isoCode: string): readonly string[] {
  const codes = (countriesByIso.get(isoCode) ?? []).map(({ dialCode }) => dialCode)
  return countries
    .filter(country => country.isoCode !== isoCode && codes.includes(country.dialCode))
    .map(country => country.isoCode)
}
