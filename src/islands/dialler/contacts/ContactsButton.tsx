import { BookUser } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { createPortal } from 'react-dom'
import { localPath } from '#lib/i18n/path.ts'
import { $session, start } from '#session/session.ts'
import { redirectWithToast } from '#session/toasts.ts'
import { button } from './button-texts.ts'
import type { ContactsDialogProps } from './ContactsDialog.tsx'

/** Takes the focus from the save link, which goes away after saving. */
export const contactsButtonId = 'contacts-button'

/** Opens the contacts; loads their code on the first press. Visitors are sent to sign up. */
export function ContactsButton() {
  const [Opened, setOpened] = useState<ComponentType<ContactsDialogProps> | null>(null)

  const open = async () => {
    await start()
    if ($session.get().status !== 'signed_in')
      return redirectWithToast(localPath('/register'), { type: 'info', message: button.signUp })
    const { ContactsDialog } = await import('./ContactsDialog.tsx')
    setOpened(() => ContactsDialog)
  }

  return (
    <>
      <button
        type="button"
        id={contactsButtonId}
        className="tap"
        aria-label={button.contacts}
        aria-haspopup="dialog"
        onClick={() => void open()}
      >
        <BookUser className="i" aria-hidden="true" />
      </button>
      {/* Outside the row of buttons, whose styles must not apply to the dialog. */}
      {Opened !== null && createPortal(<Opened onClose={() => setOpened(null)} />, document.body)}
    </>
  )
}
