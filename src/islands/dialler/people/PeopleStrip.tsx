import { useStore } from '@nanostores/react'
import { useMinute } from '../contacts/use-minute.ts'
import { PersonStamp } from './PersonStamp.tsx'
import styles from './people.module.css'
import { $people } from './people.ts'
import { texts } from './texts.ts'

/** The people in the contacts dialog. @param onCall closes the dialog */
export function PeopleStrip({ onCall }: { readonly onCall: () => void }) {
  const known = useStore($people)
  const now = useMinute()
  if (known.state !== 'ready' || known.people.length === 0) return null
  return (
    <ul className={`favs ${styles.small}`} aria-label={texts.title}>
      {known.people.map((person, place) => (
        <PersonStamp
          key={person.contact.id}
          person={person}
          place={place}
          now={now}
          size="small"
          onCall={onCall}
        />
      ))}
    </ul>
  )
}
