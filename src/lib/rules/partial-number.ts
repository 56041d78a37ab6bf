import { AsYouType, isSupportedCountry } from 'libphonenumber-js/max'
import type { Country } from './countries.ts'
import { shortestLookup } from './dialable.ts'

/**
 * A number that is not whole yet, in the groups of its country's plan as far as they can be told; null where there is too little
 * of it, or the plan has no groups for it.
 * @param typed digits with at most a leading plus
 */
export function formatPartial(typed: string, { isoCode }: Pick<Country, 'isoCode'>): string | null {
  if (typed.length < shortestLookup) return null
  const formatted = new AsYouType(isSupportedCountry(isoCode) ? isoCode : undefined).input(typed)
  return formatted === typed ? null : formatted
}
