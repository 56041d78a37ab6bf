import { useStore } from '@nanostores/react'
import { Flag } from '#ui/Flag.tsx'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { $favourites } from './favourites.ts'
import styles from './recents.module.css'
import { dialContact } from './unsaved-number.ts'

/** Stamp colours, used in turn. */
const inks = ['', 'r', 'k', ''] as const

/** The favourites as stamps; pressing one enters its number. Empty during calls, and without favourites. */
export function Favourites({ onDial }: { readonly onDial?: () => void }) {
  const favourites = useStore($favourites)
  const live = isLive(useStore($call))
  if (favourites.length === 0 || live) return null
  return (
    <ul className={`favs ${styles['favourites']}`} aria-label="Favourites">
      {favourites.map((contact, place) => (
        <li key={contact.id} className="stamp">
          <button
            type="button"
            className={`plate ${inks[place % inks.length]}`}
            aria-label={`Dial ${contact.name}`}
            onClick={() => {
              dialContact(contact)
              onDial?.()
            }}
          >
            <Flag isoCode={contact.iso_code} size={48} />
            <b>
              <bdi>{contact.name}</bdi>
            </b>
          </button>
        </li>
      ))}
    </ul>
  )
}
