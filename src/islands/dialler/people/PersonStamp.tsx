import { useStore } from '@nanostores/react'
import { Moon } from 'lucide-react'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { timeText } from '#lib/numbers/local-time.ts'
import { $phoneRules } from '#shared/numbers/phone-rules.ts'
import { Flag } from '#ui/Flag.tsx'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { callContact } from '../contacts/unsaved-number.ts'
import type { Person } from './people.ts'
import { textsOf } from './person-texts.ts'

/** Stamp colours, used in turn. */
const inks = ['', 'r', 'k', ''] as const

export interface PersonStampProps {
  readonly person: Person
  /** From 0. */
  readonly place: number
  readonly now: Date
  /** `small`: in the row above the number on a phone. */
  readonly size: 'full' | 'small'
  readonly onCall?: (() => void) | undefined
}

/** One press calls. During a call it is only a picture, and stays where it is. */
export function PersonStamp({ person, place, now, size, onCall }: PersonStampProps) {
  const live = isLive(useStore($call))
  const rules = useStore($phoneRules)
  const { contact } = person
  const { name, iso_code, phone_number } = contact
  const verdict = rules?.parseNumber(phone_number, countryOfIso(iso_code) ?? defaultCountry) ?? null
  const { local, sleep, talked, label } = textsOf(person, verdict, now)
  const plate = `plate ${inks[place % inks.length]}`
  const portrait = (
    <>
      <Flag isoCode={iso_code} size={size === 'full' ? 56 : 24} />
      <b aria-hidden="true">
        <bdi>{name}</bdi>
      </b>
      {size === 'full' ? (
        <small className="num" aria-hidden="true">
          <span>{local !== null && timeText(local)}</span>
          <span>
            {sleep !== null && <Moon className="i" aria-hidden="true" />}
            {sleep}
          </span>
          <span>{talked}</span>
        </small>
      ) : (
        <small className="num" aria-hidden="true">
          {local?.time}
          {sleep !== null && <Moon className="i" aria-hidden="true" />}
        </small>
      )}
    </>
  )
  return (
    <li className="stamp">
      {live ? (
        <div className={plate} aria-hidden="true">
          {portrait}
        </div>
      ) : (
        <button
          type="button"
          className={plate}
          onClick={event => {
            if (event.detail > 1) return
            onCall?.()
            void callContact(contact)
          }}
        >
          {portrait}
          <span className="sr">{label}</span>
        </button>
      )}
    </li>
  )
}
