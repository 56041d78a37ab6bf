import { computed } from 'nanostores'
import type { Contact } from '#lib/api/contacts.ts'
import { isLive } from '#lib/rules/call.ts'
import { entryOfNumber } from '#lib/rules/countries.ts'
import { $call } from './call.ts'
import { $contacts, type NewNumber } from './contacts.ts'
import { $dial, $extension, $verdict, chooseCountry, type Dial, setNumber } from './dial.ts'
import { $session } from './session.ts'

export interface UnsavedNumber extends NewNumber {
  /** Spaced for reading, where it is a whole number. */
  readonly formatted: string
  /** The name that it is saved under without its extension; empty where it is not saved at all. */
  readonly knownAs: string
}

type Verdict = ReturnType<typeof $verdict.get>

function describe({ country, typed }: Dial, verdict: Verdict): Omit<UnsavedNumber, 'knownAs'> {
  if (verdict?.kind !== 'ok') {
    const { dialCode, isoCode } = country
    return { phone_number: typed, dial_code: dialCode, iso_code: isoCode, formatted: typed }
  }
  const { dialCode, isoCode } = entryOfNumber(verdict.e164, verdict.isoCode)
  return {
    phone_number: verdict.e164,
    dial_code: dialCode,
    iso_code: isoCode,
    formatted: verdict.formatted,
  }
}

/**
 * The number in the field while it may be saved (specification section 2): somebody is logged in, a number is
 * entered, there is no call, and it is not saved already, with its extension if it has one. Null while any of these is not so, or not known.
 */
export const $unsavedNumber = computed(
  [$session, $dial, $verdict, $call, $contacts, $extension],
  (session, dial, verdict, call, known, extension): UnsavedNumber | null => {
    if (session.status !== 'signed_in' || dial.typed === '' || isLive(call)) return null
    if (known.state === 'unknown' || known.state === 'loading') return null
    const number = describe(dial, verdict)
    const saved =
      known.state === 'ready'
        ? known.contacts.find(contact => contact.phone_number === number.phone_number)
        : undefined
    if (saved !== undefined && (extension === '' || extension === saved.extension)) return null
    return { ...number, ...(extension !== '' && { extension }), knownAs: saved?.name ?? '' }
  },
)

/** Puts a contact's number into the dialler, in the contact's country, with what is to be played to whoever answers. */
export function dialContact({ phone_number, iso_code, extension }: Contact): void {
  chooseCountry(entryOfNumber(phone_number, iso_code))
  setNumber(phone_number, extension)
}
