import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Contact } from '#lib/api/contacts.ts'
import { $contacts } from '#shared/contacts.ts'

/**
 * The contact whose sheet is open, as it is now. One that was deleted elsewhere stays as it was, so that its sheet can
 * say so and keep what was typed.
 */
export function useOpenedContact() {
  const known = useStore($contacts)
  const [opened, open] = useState<Contact | null>(null)
  const shown = known.state !== 'ready' || opened === null ? null : latest(known.value, opened)
  return { shown, open }
}

function latest(contacts: readonly Contact[], opened: Contact): Contact {
  return contacts.find(({ id }) => id === opened.id) ?? opened
}
