import { atom, computed, type ReadableAtom } from 'nanostores'
import { sortByName } from '#lib/account/contacts.ts'
import { cleanName } from '#lib/account/names.ts'
import {
  type Contact,
  contacts as contactsEndpoint,
  deleteContact as deleteEndpoint,
  saveContact as saveEndpoint,
} from '#lib/api/contacts.ts'
import { texts } from '#lib/texts.ts'
import { authorised } from '#session/api.ts'
import { showToast } from '#session/toasts.ts'
import { $user } from '#session/user.ts'

export type Contacts =
  /** Not loaded, or nobody is signed in. */
  | { readonly state: 'unknown' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** Sorted by name. */
  | { readonly state: 'ready'; readonly contacts: readonly Contact[] }

export type NewNumber = Pick<Contact, 'phone_number' | 'dial_code' | 'iso_code' | 'extension'>

export type Saving =
  | { readonly kind: 'saved' }
  | { readonly kind: 'nameless' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

const unknown: Contacts = { state: 'unknown' }
const $known = atom<Contacts>(unknown)
export const $contacts: ReadableAtom<Contacts> = $known

/** By E.164. */
export const $contactNames = computed(
  $known,
  known =>
    new Map(
      known.state === 'ready' ? known.contacts.map(({ phone_number, name }) => [phone_number, name]) : [],
    ),
)

let owner: string | null = null
/** Counts loads and changes, to ignore answers from before a change. */
let turn = 0

/** Loads all contacts. The known ones stay until the answer arrives, and after a failure. */
export async function loadContacts(): Promise<void> {
  turn += 1
  const mine = turn
  if ($known.get().state !== 'ready') $known.set({ state: 'loading' })
  const result = await authorised(contactsEndpoint, {})
  if (mine !== turn) return
  if (result.ok) $known.set({ state: 'ready', contacts: sortByName(result.value) })
  else if ($known.get().state !== 'ready') $known.set({ state: 'failed', message: result.message })
}

/** Keeps the contacts in step with the session. @returns stops following */
export function followContacts(): () => void {
  return $user.subscribe(user => {
    const userId = user?.id ?? null
    if (userId === owner) return
    owner = userId
    turn += 1
    $known.set(unknown)
    if (userId !== null) void loadContacts()
  })
}

/** Applies a change that the server has made, unless the user has changed. */
function note(by: string | null, change: (contacts: readonly Contact[]) => readonly Contact[]): void {
  if (by !== owner) return
  turn += 1
  const known = $known.get()
  if (known.state === 'ready') $known.set({ state: 'ready', contacts: change(known.contacts) })
  else void loadContacts()
}

/** Saves a number under a trimmed name (SPEC-5.10, SPEC-8.8 to SPEC-8.10). */
export async function saveContact(text: string, number: NewNumber): Promise<Saving> {
  const name = cleanName(text)
  if (name === '') return { kind: 'nameless' }
  const by = owner
  const result = await authorised(saveEndpoint, { body: { name, ...number } })
  if (result.ok) {
    const { value } = result
    note(by, contacts => sortByName([...contacts.filter(({ id }) => id !== value.id), value]))
    showToast({ type: 'success', message: texts.contacts.saved })
    return { kind: 'saved' }
  }
  if (result.status === 400) {
    return { kind: 'refused', message: result.body?.errors?.[0]?.message ?? result.message }
  }
  if (result.status === 0) return { kind: 'failed', message: texts.contacts.save_unanswered }
  return { kind: 'failed', message: texts.contacts.save_failed }
}

/** Deletes a contact. A missing one counts as deleted: an earlier answer may have been lost. */
export async function deleteContact(contactId: string): Promise<{ readonly deleted: boolean }> {
  const by = owner
  const result = await authorised(deleteEndpoint, { params: { id: contactId } })
  const deleted = result.ok || result.status === 404
  if (deleted) note(by, contacts => contacts.filter(({ id }) => id !== contactId))
  return { deleted }
}
