import { useStore } from '@nanostores/react'
import { Phone, Trash2 } from 'lucide-react'
import type { Contact } from '#lib/api/contacts.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import { Flag } from '#ui/Flag.tsx'
import styles from './contacts.module.css'
import { FavouriteButton } from './FavouriteButton.tsx'

export interface ContactRowProps {
  readonly contact: Contact
  readonly deleting: boolean
  readonly onDelete: () => void
  readonly onChoose: () => void
  /** @param message why the favourite was not changed; null at each new try */
  readonly onFault: (message: string | null) => void
}

/** A contact in the list. A click anywhere except on the star and the delete button enters the number. */
export function ContactRow({ contact, deleting, onDelete, onChoose, onFault }: ContactRowProps) {
  const { format } = useStore($formatNumber)
  const { name, iso_code, phone_number, extension = '' } = contact
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button at its end is there for the keyboard.
    <li className={styles.row} onClick={onChoose}>
      <Flag isoCode={iso_code} />
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small className="num">
          {format(phone_number, iso_code)}
          {extension !== '' && ` ${extension}`}
        </small>
      </div>
      <FavouriteButton contact={contact} onFault={onFault} />
      <button
        type="button"
        className="tap"
        aria-label={`Delete ${name}`}
        aria-disabled={deleting || undefined}
        onClick={event => {
          event.stopPropagation()
          onDelete()
        }}
      >
        <Trash2 className="i" aria-hidden="true" />
      </button>
      {/* Its click bubbles to the row. */}
      <button type="button" className="tap dial" aria-label={`Dial ${name}`}>
        <Phone className="i" aria-hidden="true" />
      </button>
    </li>
  )
}
