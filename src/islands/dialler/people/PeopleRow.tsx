import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $session } from '#session/session.ts'
import { followRecents } from '../contacts/recents.ts'
import { useMinute } from '../contacts/use-minute.ts'
import { useWide } from '../use-wide.ts'
import { PersonStamp } from './PersonStamp.tsx'
import styles from './people.module.css'
import { $people } from './people.ts'
import { texts } from './texts.ts'

/** The people above the number on a phone. The style sheet reserves the row for everybody who is logged in. */
export function PeopleRow() {
  const signedIn = useStore($session).status === 'signed_in'
  return !useWide() && signedIn ? <Row /> : null
}

function Row() {
  const known = useStore($people)
  const now = useMinute()
  useEffect(followRecents, [])
  if (known.state !== 'ready') return null
  if (known.people.length === 0) return <p className={`small soft ${styles['hint']}`}>{texts.hint}</p>
  return (
    <ul className={`${styles['row']} ${styles['small']}`} aria-label={texts.title}>
      {known.people.map((person, place) => (
        <PersonStamp key={person.contact.id} person={person} place={place} now={now} size="small" />
      ))}
    </ul>
  )
}
