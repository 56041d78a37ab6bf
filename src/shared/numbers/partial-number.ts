import { AsYouType, isSupportedCountry } from 'libphonenumber-js/max'
import type { Country } from '#lib/numbers/countries.ts'
import { shortestLookup } from '#lib/numbers/dialable.ts'

/** Null if too short or without groups in the plan. `typed`: digits with an optional leading plus. */
export function formatPartial(typed: string, { isoCode }: Pick<Country, 'isoCode'>): string | null {
  if (typed.length < shortestLookup) return null
  const formatted = new AsYouType(isSupportedCountry(isoCode) ? isoCode : undefined).input(typed)
  return formatted === typed ? null : formatted
}
