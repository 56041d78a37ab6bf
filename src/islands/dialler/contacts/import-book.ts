import { type ImportOutcome, importContacts, maxImported } from '#lib/api/contacts.ts'
import { authorised } from '#session/api.ts'
import { rememberUser } from '#session/follow-session.ts'
import { addContacts } from '#shared/contacts.ts'
import type { ImportEntry } from './import-plan.ts'
import { importTexts } from './import-texts.ts'
import type { Card } from './vcard.ts'

export type Imported =
  | {
      readonly kind: 'done'
      readonly saved: number
      readonly skipped: number
      readonly message: string | null
    }
  | { readonly kind: 'failed'; readonly saved: number; readonly message: string }

/**
 * Saves entries in requests of 20, until there is no room. A failure keeps what is saved; trying again skips it.
 * @param onProgress how many are dealt with
 */
export async function importBook(
  entries: readonly ImportEntry[],
  onProgress: (done: number) => void,
): Promise<Imported> {
  const isSameUser = rememberUser()
  const outcomes: ImportOutcome[] = []
  const savedCount = () => outcomes.filter(({ outcome }) => outcome === 'saved').length
  const done = (message: string | null): Imported => {
    const saved = savedCount()
    return { kind: 'done', saved, skipped: entries.length - saved, message }
  }
  for (let at = 0; at < entries.length; at += maxImported) {
    const contacts = entries.slice(at, at + maxImported).map(({ name, e164, extension, notes }) => ({
      ...{ name, phone_number: e164 },
      ...(extension !== '' && { extension }),
      ...(notes !== '' && { notes }),
    }))
    const result = await authorised(importContacts, { body: { contacts } })
    if (!result.ok) return { kind: 'failed', saved: savedCount(), message: result.message }
    if (!isSameUser()) return { kind: 'failed', saved: savedCount(), message: importTexts.somebodyElse }
    outcomes.push(...result.value.outcomes)
    addContacts(result.value.outcomes.flatMap(each => (each.outcome === 'saved' ? each.contact : [])))
    onProgress(Math.min(at + maxImported, entries.length))
    const full = result.value.outcomes.find(each => each.outcome === 'too_many_contacts')
    // No request after this one could save any, and the server allows 60 a minute.
    if (full !== undefined) return done(full.message)
  }
  return done(null)
}

interface PickedContact {
  readonly name?: readonly string[]
  readonly tel?: readonly string[]
}

interface ContactPicker {
  select(properties: readonly string[], options: { multiple: boolean }): Promise<readonly PickedContact[]>
}

function picker(): ContactPicker | undefined {
  return (navigator as { contacts?: ContactPicker }).contacts
}

/** Whether this browser lets the user choose from the phone's own address book (Contact Picker API). */
export function canPickContacts(): boolean {
  return picker() !== undefined && 'ContactsManager' in window
}

/** @returns empty if the user chose nobody @throws if the browser refuses */
export async function pickContacts(): Promise<readonly Card[]> {
  const picked = (await picker()?.select(['name', 'tel'], { multiple: true })) ?? []
  return picked.map(({ name = [], tel = [] }) => ({
    name: name[0] ?? '',
    numbers: tel.map(text => ({ text, label: '' })),
    notes: '',
  }))
}
