import { atom, type ReadableAtom } from 'nanostores'
import type { Contact } from '#lib/api/contacts.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { followSession } from '#session/follow-session.ts'
import { deleteContact, restoreContact } from '#shared/contacts.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'

/** How long a deletion can be undone (ADR-62). */
export const undoMs = 10_000

const $list = atom<readonly Contact[]>([])
/** Deleted contacts that can be brought back, the oldest first. */
export const $deleted: ReadableAtom<readonly Contact[]> = $list

const timers = new Map<string, ReturnType<typeof setTimeout>>()
type HeldBy = 'pointer' | 'focus'
const heldBy = new Set<HeldBy>()

function forget(contactId: string): void {
  clearTimeout(timers.get(contactId))
  timers.delete(contactId)
  $list.set($list.get().filter(({ id }) => id !== contactId))
}

function start(contactId: string): void {
  clearTimeout(timers.get(contactId))
  timers.set(
    contactId,
    setTimeout(() => forget(contactId), undoMs),
  )
}

/** Offers to bring a contact back that is not on the server any more. */
export function offerUndo(contact: Contact): void {
  $list.set([...$list.get().filter(({ id }) => id !== contact.id), contact])
  if (heldBy.size === 0) start(contact.id)
}

/** Whether the server would save the number again: it may be saved from before a rule that refuses it. */
async function canSaveAgain({ phone_number, iso_code }: Contact): Promise<boolean> {
  try {
    const { parseNumber } = await loadPhoneRules()
    return parseNumber(phone_number, entryOfNumber(phone_number, iso_code)).kind === 'ok'
  } catch (error) {
    console.error('The numbering plans did not load.', error)
    return true
  }
}

export type Deletion = 'deleted' | 'failed' | 'final'

/**
 * Deletes at once, so that leaving the page changes nothing, and offers to bring the contact back.
 * @param confirmed deletes a contact whose number cannot be saved again, and offers nothing
 * @returns `final`: nothing was deleted, as it could not be undone
 */
export async function deleteWithUndo(contact: Contact, confirmed = false): Promise<Deletion> {
  const restorable = await canSaveAgain(contact)
  if (!restorable && !confirmed) return 'final'
  const { deleted } = await deleteContact(contact.id)
  if (!deleted) return 'failed'
  if (restorable) offerUndo(contact)
  return 'deleted'
}

/** Brings a contact back with its number, name, notes, extension and star. After a failure it can be tried again. */
export async function undoDelete(contact: Contact): Promise<{ readonly restored: boolean }> {
  clearTimeout(timers.get(contact.id))
  const outcome = await restoreContact(contact)
  if (outcome.restored) forget(contact.id)
  else start(contact.id)
  return outcome
}

/** Nothing expires while the pointer or the focus is on the offer. */
export function holdUndo(by: HeldBy): void {
  heldBy.add(by)
  for (const timer of timers.values()) clearTimeout(timer)
}

export function releaseUndo(by: HeldBy): void {
  if (!heldBy.delete(by) || heldBy.size > 0) return
  for (const { id } of $list.get()) start(id)
}

followSession(() => {
  for (const { id } of $list.get()) forget(id)
})
