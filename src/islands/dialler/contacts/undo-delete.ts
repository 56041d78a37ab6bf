import { atom, type ReadableAtom } from 'nanostores'
import type { Contact } from '#lib/api/contacts.ts'
import { followSession } from '#session/follow-session.ts'
import { deleteContact, restoreContact } from '#shared/contacts.ts'

/** How long a deletion can be undone (ADR-62). */
export const undoMs = 10_000

const $list = atom<readonly Contact[]>([])
/** Deleted contacts that can be brought back, the oldest first. */
export const $deleted: ReadableAtom<readonly Contact[]> = $list

const timers = new Map<string, ReturnType<typeof setTimeout>>()
let held = false

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

/** Deletes at once, so that leaving the page changes nothing, and offers to bring the contact back. */
export async function deleteWithUndo(contact: Contact): Promise<{ readonly deleted: boolean }> {
  const { deleted } = await deleteContact(contact.id)
  if (!deleted) return { deleted }
  $list.set([...$list.get(), contact])
  if (!held) start(contact.id)
  return { deleted }
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
export function holdUndo(): void {
  held = true
  for (const timer of timers.values()) clearTimeout(timer)
}

export function releaseUndo(): void {
  if (!held) return
  held = false
  for (const { id } of $list.get()) start(id)
}

followSession(() => {
  for (const { id } of $list.get()) forget(id)
})
