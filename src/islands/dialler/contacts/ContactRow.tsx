import { useStore } from '@nanostores/react'
import { Phone, Star, Trash2 } from 'lucide-react'
import type { Contact } from '#lib/api/contacts.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import { Flag } from '#ui/Flag.tsx'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import styles from './contacts.module.css'
import { texts } from './texts.ts'
import { callContact } from './unsaved-number.ts'

export interface ContactRowProps {
  readonly contact: Contact
  readonly onOpen: () => void
  /** A call was begun. */
  readonly onCall?: (() => void) | undefined
  /** Without it, only the sheet deletes. */
  readonly deletion?: { readonly busy: boolean; readonly onDelete: () => void }
}

/** A contact in a list. Its name opens the sheet, its handset calls, but not during a call. */
export function ContactRow({ contact, onOpen, onCall, deletion }: ContactRowProps) {
  const { format } = useStore($formatNumber)
  const live = isLive(useStore($call))
  const { name, iso_code, phone_number, extension = '', favourite } = contact
  return (
    <li className={styles.contact}>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={onOpen}>
        <Flag isoCode={iso_code} />
        <span>
          <b>
            <bdi>{name}</bdi>
            {favourite && <Star className={`i ${styles.mark}`} aria-hidden="true" />}
          </b>
          {favourite && <span className="sr">{texts.favourite}</span>}
          <small className="num">
            <bdi>
              {format(phone_number, iso_code)}
              {extension !== '' && ` ${extension}`}
            </bdi>
          </small>
          <span className="sr">{texts.details}</span>
        </span>
      </button>
      {deletion !== undefined && (
        <button
          type="button"
          className="tap"
          aria-label={texts.deleteName({ name })}
          aria-disabled={deletion.busy || undefined}
          onClick={deletion.onDelete}
        >
          <Trash2 className="i" aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="tap dial"
        aria-label={texts.callName({ name })}
        aria-disabled={live || undefined}
        onClick={event => {
          if (live || event.detail > 1) return
          onCall?.()
          void callContact(contact)
        }}
      >
        <Phone className="i" aria-hidden="true" />
      </button>
    </li>
  )
}
