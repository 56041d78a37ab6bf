import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { SaveContactDialog, type UnsavedNumber } from '#shared/save-contact/SaveContactDialog.tsx'
import { contactsButtonId } from './ContactsButton.tsx'
import { texts } from './texts.ts'
import { $unsavedNumber } from './unsaved-number.ts'

/** '+ Save this number', while there is a number that can be saved. */
export function SaveContactLink() {
  const unsaved = useStore($unsavedNumber)
  /** The number when the link was pressed. */
  const [saving, setSaving] = useState<UnsavedNumber | null>(null)

  const close = (saved: boolean) => {
    flushSync(() => setSaving(null))
    // The link that had the focus is removed once its number is saved.
    if (saved) document.getElementById(contactsButtonId)?.focus()
  }

  return (
    <>
      {unsaved !== null && (
        <button type="button" aria-haspopup="dialog" onClick={() => setSaving(unsaved)}>
          {texts.saveThis}
        </button>
      )}
      {/* Outside the rate's row, whose styles must not apply to the dialog. */}
      {saving !== null && createPortal(<SaveContactDialog number={saving} onClose={close} />, document.body)}
    </>
  )
}
