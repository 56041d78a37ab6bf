import { useStore } from '@nanostores/react'
import { Plus } from 'lucide-react'
import { useEffect } from 'react'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { useLate } from '#ui/use-late.ts'
import { useMinute } from '../contacts/use-minute.ts'
import { focusNumberField } from '../number/focus.ts'
import { PersonStamp } from './PersonStamp.tsx'
import styles from './people.module.css'
import { $people } from './people.ts'
import { texts } from './texts.ts'

/** The people beside the phone. Its first row keeps its place while they load. */
export function PeopleSheet() {
  const known = useStore($people)
  const now = useMinute()
  const late = useLate(known.state === 'loading')
  useEffect(() => {
    loadPhoneRules().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  if (known.state === 'failed') return null
  const people = known.state === 'ready' ? known.people : []
  return (
    <>
      <div className="sec">
        <h2>{texts.title}</h2>
      </div>
      {known.state === 'ready' && people.length === 0 && (
        <p className={`soft ${styles['invitation']}`}>{texts.invitation}</p>
      )}
      {known.state === 'loading' ? (
        <div className={styles['waiting']}>
          <p className="sr" role="status">
            {late && texts.loading}
          </p>
          {late && (
            <div className={styles['sheet']} aria-hidden="true">
              {[1, 2, 3].map(each => (
                <div key={each} className={styles['gap']} />
              ))}
            </div>
          )}
        </div>
      ) : (
        <ul className={`favs ${styles['sheet']}`} aria-label={texts.title}>
          {people.map((person, place) => (
            <PersonStamp key={person.contact.id} person={person} place={place} now={now} size="full" />
          ))}
          {emptyStamps(people.length).map(who => (
            <EmptyStamp key={who.name} {...who} />
          ))}
        </ul>
      )}
    </>
  )
}

interface Invitation {
  readonly name: string
  readonly offer: string
}

/** A row has four places. */
function emptyStamps(people: number): readonly Invitation[] {
  if (people === 0)
    return [
      { name: texts.mum, offer: texts.saveHers },
      { name: texts.grandpa, offer: texts.saveHis },
      { name: texts.friend, offer: texts.saveTheirs },
    ]
  return people < 4 ? [{ name: texts.another, offer: texts.saveAnother }] : []
}

/** Leads to the number field: a number is typed there, and saved. */
function EmptyStamp({ name, offer }: Invitation) {
  return (
    <li>
      <button type="button" className={styles['empty']} onClick={focusNumberField}>
        <Plus className="i" aria-hidden="true" />
        <b>{name}</b>
        <small>{offer}</small>
      </button>
    </li>
  )
}
