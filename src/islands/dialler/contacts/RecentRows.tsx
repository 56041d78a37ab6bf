import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { CallRecord } from '#lib/api/calls.ts'
import { outcomeLabel } from '#lib/calls/outcomes.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { netCostMicroUsd } from '#shared/calls/call-receipt.ts'
import { $contactNames, $contacts } from '#shared/contacts.ts'
import { $formatNumber, loadNumberFormat } from '#shared/numbers/number-format.ts'
import { SaveContactDialog, type UnsavedNumber } from '#shared/save-contact/SaveContactDialog.tsx'
import { Flag } from '#ui/Flag.tsx'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import styles from './recents.module.css'
import { callAgain } from './recents.ts'
import { texts } from './texts.ts'
import { useMinute } from './use-minute.ts'
import { whenCalled } from './when.ts'

export interface RecentRowsProps {
  readonly calls: readonly CallRecord[]
  /** A call was begun. */
  readonly onCall?: (() => void) | undefined
}

interface Saving {
  readonly callId: string
  readonly number: UnsavedNumber
}

const handsetId = (callId: string) => `call-again-${callId}`

/** The handset of a row calls again, but not during a call. A number that is not saved can be saved here. */
export function RecentRows({ calls, onCall }: RecentRowsProps) {
  const now = useMinute()
  const [saving, setSaving] = useState<Saving | null>(null)
  const close = (saved: boolean) => {
    flushSync(() => setSaving(null))
    // The button that had the focus is removed once its number is saved.
    if (saved && saving !== null) document.getElementById(handsetId(saving.callId))?.focus()
  }
  useEffect(() => {
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  return (
    <>
      <ul className="rows">
        {calls.map(call => (
          <Row
            key={call.id}
            call={call}
            now={now}
            onCall={onCall}
            onSave={number => setSaving({ callId: call.id, number })}
          />
        ))}
      </ul>
      {saving !== null &&
        createPortal(<SaveContactDialog number={saving.number} onClose={close} />, document.body)}
    </>
  )
}

interface RowProps {
  readonly call: CallRecord
  readonly now: Date
  readonly onCall: (() => void) | undefined
  readonly onSave: (number: UnsavedNumber) => void
}

function Row({ call, now, onCall, onSave }: RowProps) {
  const { format } = useStore($formatNumber)
  const live = isLive(useStore($call))
  const name = useStore($contactNames).get(call.to)
  const canSave = useStore($contacts).state === 'ready' && name === undefined && call.purpose !== 'test'
  const number = format(call.to, call.isoCode)
  const when = whenCalled(new Date(call.placedAt), now)
  const save = () => {
    const { dialCode, isoCode } = entryOfNumber(call.to, call.isoCode)
    onSave({
      ...{ phone_number: call.to, dial_code: dialCode, iso_code: isoCode, formatted: number },
      knownAs: '',
    })
  }
  return (
    <li className={styles['recent']}>
      <Flag isoCode={call.isoCode} />
      <div>
        {name === undefined ? (
          <b className="num">
            <bdi>{number}</bdi>
          </b>
        ) : (
          <b>
            <bdi>{name}</bdi>
          </b>
        )}
        <Fate call={call} when={when} />
        {canSave && (
          <button
            type="button"
            className={styles['save']}
            aria-haspopup="dialog"
            aria-label={texts.saveNumber({ number, when })}
            onClick={save}
          >
            {texts.save}
          </button>
        )}
      </div>
      {call.answeredAt !== null && (
        <span className="num small soft">{call.free ? texts.free : formatCharge(netCostMicroUsd(call))}</span>
      )}
      <button
        type="button"
        id={handsetId(call.id)}
        className="tap dial"
        // The name alone would not tell apart several calls to the same person.
        aria-label={texts.callAgain({ who: name ?? number, when })}
        aria-disabled={live || undefined}
        onClick={event => {
          if (live || event.detail > 1) return
          onCall?.()
          void callAgain(call)
        }}
      >
        <Phone className="i" aria-hidden="true" />
      </button>
    </li>
  )
}

/** With what was refunded: the price beside it is what remains. */
function lengthOf({ purpose, free, seconds, cost, credited }: CallRecord): string {
  if (purpose === 'test') return texts.testCall
  if (free) return texts.firstCall
  const minutes = Math.ceil(seconds / 60)
  if (credited === undefined) return texts.minutes({ minutes })
  return credited < cost
    ? texts.minutesPartRefunded({ minutes, amount: formatCharge(usdToMicroUsd(credited)) })
    : texts.minutesRefunded({ minutes })
}

/** Time and length of a call; for unanswered calls, the outcome. */
function Fate({ call, when }: { readonly call: CallRecord; readonly when: string }) {
  if (call.answeredAt === null)
    return <small className="num miss">{texts.fate({ when, fate: outcomeLabel(call).toLowerCase() })}</small>
  return <small className="num">{texts.fate({ when, fate: lengthOf(call) })}</small>
}
