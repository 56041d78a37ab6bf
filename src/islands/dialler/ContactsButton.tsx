import { BookUser } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { createPortal } from 'react-dom'
import { $session, start } from '#stores/session.ts'
import { redirectWithToast } from '#stores/toasts.ts'
import type { ContactsDialogProps } from './ContactsDialog.tsx'

/** Takes the focus over from the link that is gone once its number is saved. */
export const contactsButtonId = 'contacts-button'

/** Opens the contacts, whose code comes with the first press. Visitors are sent to sign up. */
export function ContactsButton() {
  const [Opened, setOpened] = useState<ComponentType<ContactsDialogProps> | null>(null)

  const open = async () => {
    await start()
    if ($session.get().status !== 'signed_in')
      return redirectWithToast('/register', { type: 'info', message: 'Sign up to save contacts' })
    const { ContactsDialog } = await import('./ContactsDialog.tsx')
    setOpened(() => ContactsDialog)
  }

  return (
    <>
      <button
        type="button"
        id={contactsButtonId}
        className="tap"
        aria-label="Contacts"
        aria-haspopup="dialog"
        onClick={() => void open()}
      >
        <BookUser className="i" aria-hidden="true" />
      </button>
      {/* Out of the row of buttons, whose looks are not for those of a dialog. */}
      {Opened !== null && createPortal(<Opened onClose={() => setOpened(null)} />, document.body)}
    </>
  )
}
