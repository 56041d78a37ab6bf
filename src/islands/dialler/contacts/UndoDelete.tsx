import { useStore } from '@nanostores/react'
import { type FocusEvent, useState } from 'react'
import type { Contact } from '#lib/api/contacts.ts'
import { FormNote } from '#ui/FormNote.tsx'
import styles from './contacts.module.css'
import { texts } from './texts.ts'
import { $deleted, holdUndo, releaseUndo, undoDelete } from './undo-delete.ts'

/** Says what was deleted and offers to bring it back, for 10 s. @param onUndone takes the focus of the button */
export function UndoDelete({ onUndone }: { readonly onUndone: () => void }) {
  const deleted = useStore($deleted)
  const [failed, setFailed] = useState(false)
  const [busy, setBusy] = useState(false)
  const undo = async (contact: Contact) => {
    if (busy) return
    setBusy(true)
    setFailed(false)
    const { restored } = await undoDelete(contact)
    setBusy(false)
    setFailed(!restored)
    if (!restored) return
    // The button is gone, so no event says that focus and pointer have left it.
    releaseUndo('focus')
    releaseUndo('pointer')
    onUndone()
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) releaseUndo('focus')
  }
  return (
    <>
      <FormNote message={failed && deleted.length > 0 ? texts.undoFailed : null} />
      <div
        role="status"
        onPointerEnter={() => holdUndo('pointer')}
        onPointerLeave={() => releaseUndo('pointer')}
        onFocus={() => holdUndo('focus')}
        onBlur={leave}
      >
        {deleted.map(contact => (
          <p key={contact.id} className={`note ${styles['undo']}`}>
            <span>{texts.deleted}</span> <bdi>{contact.name}</bdi>
            <button
              type="button"
              className="btn plain small"
              aria-label={texts.undoDeleting({ name: contact.name })}
              aria-disabled={busy || undefined}
              onClick={() => void undo(contact)}
            >
              {texts.undo}
            </button>
          </p>
        ))}
      </div>
    </>
  )
}
