import { computed } from 'nanostores'
import type { Contact } from '#lib/api/contacts.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { $session } from '#session/session.ts'
import { $contacts } from '#shared/contacts.ts'
import type { UnsavedNumber } from '#shared/save-contact/SaveContactDialog.tsx'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { placeCall } from '../call/place-call.ts'
import { $extension, $paintedDial, $rejection, $verdict, type Dial, enterNumber } from '../number/dial.ts'

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

/** The number in the field (SPEC-2.37); null if unknown, logged out, in a call, never to be called, or saved with this extension. */
export const $unsavedNumber = computed(
  [$session, $paintedDial, $verdict, $call, $contacts, $extension, $rejection],
  (session, dial, verdict, call, known, extension, rejection): UnsavedNumber | null => {
    if (session.status !== 'signed_in' || dial.typed === '' || isLive(call) || rejection !== null) return null
    if (known.state === 'loading') return null
    const number = describe(dial, verdict)
    const saved =
      known.state === 'ready'
        ? known.value.find(contact => contact.phone_number === number.phone_number)
        : undefined
    if (saved !== undefined && (extension === '' || extension === saved.extension)) return null
    return { ...number, ...(extension !== '' && { extension }), knownAs: saved?.name ?? '' }
  },
)

/** Enters a contact's number and extension in the contact's country. */
export function dialContact({ phone_number, iso_code, extension }: Contact): void {
  enterNumber(entryOfNumber(phone_number, iso_code), phone_number, extension)
}

/** Enters a contact's number and calls it, with the same checks as Call. Does nothing during a call. */
export async function callContact(contact: Contact): Promise<void> {
  if (isLive($call.get())) return
  dialContact(contact)
  await placeCall()
}
