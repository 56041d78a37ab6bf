import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { useEffect } from 'react'
import type { CallRecord } from '#lib/api/calls.ts'
import { outcomeLabel } from '#lib/calls/outcome-texts.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { creditedText } from '#shared/calls/call-receipt.ts'
import { $contactNames } from '#shared/contacts.ts'
import { $formatNumber, loadNumberFormat } from '#shared/numbers/number-format.ts'
import { Flag } from '#ui/Flag.tsx'
import { dialAgain } from './recents.ts'
import { useMinute } from './use-minute.ts'
import { whenCalled } from './when.ts'

export interface RecentRowsProps {
  readonly calls: readonly CallRecord[]
  readonly onDial?: () => void
}

/** Pressing a row enters its number into the dialler. */
export function RecentRows({ calls, onDial }: RecentRowsProps) {
  const now = useMinute()
  useEffect(() => {
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  return (
    <ul className="rows">
      {calls.map(call => (
        <Row key={call.id} call={call} now={now} onDial={onDial} />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly call: CallRecord
  readonly now: Date
  readonly onDial: (() => void) | undefined
}

function Row({ call, now, onDial }: RowProps) {
  const { format } = useStore($formatNumber)
  const name = useStore($contactNames).get(call.to)
  const number = format(call.to, call.isoCode)
  const when = whenCalled(new Date(call.placedAt), now)
  return (
    <li>
      <Flag isoCode={call.isoCode} />
      <div>
        {name === undefined ? (
          <b className="num">{number}</b>
        ) : (
          <b>
            <bdi>{name}</bdi>
          </b>
        )}
        <Fate call={call} when={when} />
      </div>
      {call.answeredAt !== null && (
        <span className="num small soft">{call.free ? 'Free' : formatCharge(usdToMicroUsd(call.cost))}</span>
      )}
      <button
        type="button"
        className="tap dial"
        // The name alone would not tell apart several calls to the same person.
        aria-label={`Dial ${name ?? number} again, as on ${when}`}
        onClick={() => {
          dialAgain(call)
          onDial?.()
        }}
      >
        <Phone className="i" aria-hidden="true" />
      </button>
    </li>
  )
}

function lengthOf(call: CallRecord): string {
  if (call.purpose === 'test') return 'Test call'
  if (call.free) return 'First call'
  const credited = creditedText(call)
  const minutes = `${Math.ceil(call.seconds / 60)} min`
  return credited === undefined ? minutes : `${minutes}, ${credited.toLowerCase()}`
}

/** Time and length of a call; for unanswered calls, the outcome. */
function Fate({ call, when }: { readonly call: CallRecord; readonly when: string }) {
  if (call.answeredAt === null)
    return (
      <small className="num miss">
        {when}, {outcomeLabel(call).toLowerCase()}
      </small>
    )
  return (
    <small className="num">
      {when}, {lengthOf(call)}
    </small>
  )
}
