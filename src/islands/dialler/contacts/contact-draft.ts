import { cleanName, cleanNotes } from '#lib/account/names.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { followSession } from '#session/follow-session.ts'
import { showToast } from '#session/toasts.ts'
import { type ContactChange, changeContact } from '#shared/contacts.ts'
import { texts } from './texts.ts'
import { offerUndo } from './undo-delete.ts'

/** What was typed into a sheet and is not saved yet although the sheet was left, by the contact's id. */
const drafts = new Map<string, ContactChange>()

/** What a contact's sheet opens with. */
export function draftOf({ id, name, notes = '' }: Contact): ContactChange {
  return drafts.get(id) ?? { name, notes }
}

export function isChanged({ name, notes = '' }: Contact, typed: ContactChange): boolean {
  return cleanName(typed.name) !== name || cleanNotes(typed.notes) !== notes
}

/** The contact with what was typed. An empty name counts as the old one. */
export function withTyped({ notes: _, ...contact }: Contact, typed: ContactChange): Contact {
  const notes = cleanNotes(typed.notes)
  return {
    ...contact,
    name: cleanName(typed.name) || contact.name,
    ...(notes !== '' && { notes }),
  }
}

/**
 * Saves what was typed into a sheet that is left. After a failure the sheet opens with it again; a contact that was
 * deleted meanwhile can be brought back with it.
 */
export async function saveOnLeaving(contact: Contact, typed: ContactChange): Promise<void> {
  const changed = withTyped(contact, typed)
  if (!isChanged(contact, { name: changed.name, notes: changed.notes ?? '' })) return
  drafts.set(contact.id, typed)
  const saving = await changeContact(contact.id, { name: changed.name, notes: changed.notes ?? '' })
  switch (saving.kind) {
    case 'saved':
      drafts.delete(contact.id)
      showToast({ type: 'success', message: texts.changesSaved })
      break
    case 'gone':
      drafts.delete(contact.id)
      offerUndo(changed)
      showToast({ type: 'error', message: texts.goneUnsaved })
      break
    case 'refused':
    case 'failed':
      showToast({ type: 'error', message: saving.message })
      break
    case 'nameless':
      break
    default:
      saving satisfies never
  }
}

followSession(() => drafts.clear())
