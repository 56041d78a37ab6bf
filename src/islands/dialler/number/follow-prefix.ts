import { type Country, countries, entryOfNumber } from '#lib/numbers/countries.ts'
import { searchCountries } from '#lib/numbers/country-search.ts'
import { localStore } from '#session/storage.ts'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { isTestCall } from '../call/is-test-call.ts'
import { nextTask } from '../next-task.ts'
import { $dial, $verdict, chooseCountry, countryKey, type Dial } from './dial.ts'

/** The entries of the longest dial code that a number with `+` or `00` begins with, the main country first. */
function entriesOfPrefix(typed: string): readonly Country[] {
  const number = typed.replace(/^00(?=[1-9])/, '+')
  if (!number.startsWith('+')) return []
  // Kazakhstan's part of +7; until the next digit it may be either country.
  if (number.startsWith('+7') && number.length > 2)
    return searchCountries('+7').filter(({ isoCode }) => (isoCode === 'KZ') === /^\+7[67]/.test(number))
  const codes = countries.map(({ dialCode }) => dialCode).filter(code => number.startsWith(code))
  const length = Math.max(0, ...codes.map(code => code.length))
  const code = number.slice(0, length)
  return length === 0 ? [] : searchCountries(code).filter(({ dialCode }) => dialCode === code)
}

/**
 * Shows the country of a typed `+` or `00` prefix, and that of the complete number where countries share a code, with or
 * without a prefix: 876 555 0133 is in Jamaica and costs what Jamaica costs. Once the number changes, the country that was
 * chosen before is back. Remembers for the next visit what was chosen or called.
 */
export function followPrefix(): void {
  /** What was chosen before a prefix replaced it; null unless one did. */
  let chosen: Country | null = null
  let byPrefix: Country | null = null

  function replaceBy(country: Country): void {
    const { country: before } = $dial.get()
    if (country === before) return
    chosen ??= before
    byPrefix = country
    chooseCountry(country)
  }

  function follow({ country, typed }: Dial, before: Dial): void {
    const [entries, earlier] = [entriesOfPrefix(typed), entriesOfPrefix(before.typed)]
    const [main] = entries
    if (country !== before.country && country !== byPrefix) {
      // A pasted number brings its country; otherwise the user chose one, and it stays.
      if (typed !== before.typed && main !== undefined) {
        chosen ??= before.country
        byPrefix = country
      } else {
        chosen = byPrefix = null
        localStore.write(countryKey, country.id)
      }
    }
    if (typed === before.typed) return
    if (main === undefined) {
      const back = chosen
      chosen = byPrefix = null
      if (back !== null) chooseCountry(back)
    } else if (main !== earlier[0] && !entries.includes(country)) replaceBy(main)
  }

  follow($dial.get(), { ...$dial.get(), typed: '' })
  $dial.listen((dial, before) => follow(dial, before ?? dial))
  $verdict.listen((verdict, before) => {
    if (verdict?.kind !== 'ok') return
    // Do not override a country that was chosen afterwards.
    if (before?.kind === 'ok' && before.e164 === verdict.e164) return
    if ($dial.get().country.isoCode !== verdict.isoCode)
      replaceBy(entryOfNumber(verdict.e164, verdict.isoCode))
  })
  $call.listen(call => {
    if (!isLive(call) || isTestCall(call)) return
    const { e164, country } = call.callee
    // In the next task, so that a press of Call shows first.
    void nextTask().then(() => localStore.write(countryKey, entryOfNumber(e164, country.isoCode).id))
  })
}
