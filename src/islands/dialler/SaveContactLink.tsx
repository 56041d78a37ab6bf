import { useStore } from '@nanostores/react'
import { type ComponentType, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { $unsavedNumber, type UnsavedNumber } from '#stores/unsaved-number.ts'
import { contactsButtonId } from './ContactsButton.tsx'
import type { SaveContactDialogProps } from './SaveContactDialog.tsx'

interface Saving {
  readonly Dialog: ComponentType<SaveContactDialogProps>
  /** As it was when the link was pressed. */
  readonly number: UnsavedNumber
}

/** '+ Save this number', while there is a number that may be saved. */
export function SaveContactLink() {
  const unsaved = useStore($unsavedNumber)
  const [saving, setSaving] = useState<Saving | null>(null)

  const open = async (number: UnsavedNumber) => {
    const { SaveContactDialog } = await import('./SaveContactDialog.tsx')
    setSaving({ Dialog: SaveContactDialog, number })
  }
  const close = (saved: boolean) => {
    flushSync(() => setSaving(null))
    // The link that had the focus goes, now that its number is saved.
    if (saved) document.getElementById(contactsButtonId)?.focus()
  }

  return (
    <>
      {unsaved !== null && (
        <button type="button" aria-haspopup="dialog" onClick={() => void open(unsaved)}>
          + Save this number
        </button>
      )}
      {/* Out of the rate's row, whose looks are not for a dialog's buttons. */}
      {saving !== null &&
        createPortal(<saving.Dialog number={saving.number} onClose={close} />, document.body)}
    </>
  )
}
