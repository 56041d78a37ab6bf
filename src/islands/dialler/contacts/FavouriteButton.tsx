import { Star } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#lib/api/contacts.ts'
import { markFavourite } from './favourites.ts'
import styles from './recents.module.css'
import { texts } from './texts.ts'

export interface FavouriteButtonProps {
  readonly contact: Contact
  /** Called with an error message; with null at each new attempt. */
  readonly onFault: (message: string | null) => void
}

export function FavouriteButton({ contact, onFault }: FavouriteButtonProps) {
  const [busy, setBusy] = useState(false)
  const toggle = async () => {
    if (busy) return
    setBusy(true)
    onFault(null)
    const marking = await markFavourite(contact, !contact.favourite)
    setBusy(false)
    if (marking.kind === 'failed') onFault(marking.message)
  }
  return (
    <button
      type="button"
      className={`tap ${styles['star']}`}
      aria-label={texts.favouriteName({ name: contact.name })}
      aria-pressed={contact.favourite}
      aria-disabled={busy || undefined}
      onClick={event => {
        event.stopPropagation()
        void toggle()
      }}
    >
      <Star className="i" aria-hidden="true" />
    </button>
  )
}
