import { computed, type ReadableAtom } from 'nanostores'
import { sortByName } from '#lib/account/contacts.ts'
import { cleanName } from '#lib/account/names.ts'
import {
  type Contact,
  changeContact as changeEndpoint,
  contacts as contactsEndpoint,
  deleteContact as deleteEndpoint,
  saveContact as saveEndpoint,
} from '#lib/api/contacts.ts'
import { authorised } from '#session/api.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import { showToast } from '#session/toasts.ts'
import { $user } from '#session/user.ts'
import { contactTexts } from './contacts-texts.ts'

export type Contacts = Resource<readonly Contact[]>

export type NewNumber = Pick<Contact, 'phone_number' | 'dial_code' | 'iso_code' | 'extension'>

export type Saving =
  | { readonly kind: 'saved' }
  | { readonly kind: 'nameless' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

const resource = createPrivateResource<readonly Contact[]>(async () => {
  const result = await authorised(contactsEndpoint, {})
  return result.ok ? { ok: true, value: sortByName(result.value) } : result
})
export const $contacts: ReadableAtom<Contacts> = resource.$state
export const loadContacts = resource.load

/** By E.164. */
export const $contactNames = computed(
  $contacts,
  known =>
    new Map(known.state === 'ready' ? known.value.map(({ phone_number, name }) => [phone_number, name]) : []),
)

let owner: string | null = null

/** Keeps the contacts in step with the session. @returns stops following */
export function followContacts(): () => void {
  return $user.subscribe(user => {
    const userId = user?.id ?? null
    if (userId === owner) return
    owner = userId
    resource.reset()
    if (userId !== null) void loadContacts()
  })
}

/** Saves a number under a trimmed name (SPEC-5.10, SPEC-8.8 to SPEC-8.10). */
export async function saveContact(text: string, number: NewNumber): Promise<Saving> {
  const name = cleanName(text)
  if (name === '') return { kind: 'nameless' }
  const by = owner
  const result = await authorised(saveEndpoint, { body: { name, ...number } })
  if (result.ok) {
    const { value } = result
    if (by === owner) resource.update(known => replaced(known, value))
    showToast({ type: 'success', message: contactTexts.saved })
    return { kind: 'saved' }
  }
  if (result.status === 400) {
    return { kind: 'refused', message: result.body?.errors?.[0]?.message ?? result.message }
  }
  if (result.status === 0) return { kind: 'failed', message: contactTexts.saveUnanswered }
  return { kind: 'failed', message: contactTexts.saveFailed }
}

export interface ContactChange {
  readonly name: string
  /** Empty: none. */
  readonly notes: string
}

/** Changes a contact's name and notes. One deleted on another page is reported, and leaves the list. */
export async function changeContact(
  contactId: string,
  { name: text, notes }: ContactChange,
): Promise<Saving | { readonly kind: 'gone' }> {
  const name = cleanName(text)
  if (name === '') return { kind: 'nameless' }
  const by = owner
  const result = await authorised(changeEndpoint, { params: { id: contactId }, body: { name, notes } })
  if (result.ok) {
    if (by === owner) resource.update(known => replaced(known, result.value))
    return { kind: 'saved' }
  }
  if (result.status === 404) {
    if (by === owner) resource.update(known => known.filter(({ id }) => id !== contactId))
    return { kind: 'gone' }
  }
  if (result.status === 400) return { kind: 'refused', message: result.message }
  return { kind: 'failed', message: contactTexts.changeFailed }
}

/** Saves a deleted contact again with all that it had; only its id is new. The star stays away if its place is taken. */
export async function restoreContact({
  id: _,
  ...contact
}: Contact): Promise<{ readonly restored: boolean }> {
  const by = owner
  const result = await authorised(saveEndpoint, { body: contact })
  if (result.ok && by === owner) resource.update(known => replaced(known, result.value))
  // Under another name: it was saved anew meanwhile, so nothing is missing.
  return { restored: result.ok || result.code === 'already_saved' }
}

/** Adds contacts that the server has saved. */
export function addContacts(contacts: readonly Contact[]): void {
  resource.update(known => sortByName([...known, ...contacts]))
}

function replaced(known: readonly Contact[], contact: Contact): readonly Contact[] {
  return sortByName([...known.filter(({ id }) => id !== contact.id), contact])
}

/** Deletes a contact. A missing one counts as deleted: an earlier answer may have been lost. */
export async function deleteContact(contactId: string): Promise<{ readonly deleted: boolean }> {
  const by = owner
  const result = await authorised(deleteEndpoint, { params: { id: contactId } })
  const deleted = result.ok || result.status === 404
  if (deleted && by === owner) resource.update(known => known.filter(({ id }) => id !== contactId))
  return { deleted }
}
