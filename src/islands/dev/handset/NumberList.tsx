import { useStore } from '@nanostores/react'
import type { AnsweredNumber } from '#lib/api/handset.ts'
import { isClaimed } from '#voice/handset-call.ts'
import styles from './handset.module.css'
import { $handset, listenOn } from './handset.ts'
import { $numbers } from './handset-numbers.ts'
import { $readParty } from './handset-parties.ts'
import { PartyFlag } from './PartyFlag.tsx'

/** Numbers that the local exchange answers: this handset's first, then the others. */
export function NumberList() {
  const handset = useStore($handset)
  const list = useStore($numbers)
  const { read } = useStore($readParty)
  const mine = isClaimed(handset) ? handset.number : null
  const others = list.state === 'ready' ? list.numbers.filter(({ number }) => number !== mine) : []
  // Claiming another number releases the current one, so it is disabled during a call.
  const busy = handset.state === 'ringing' || handset.state === 'talking' || handset.state === 'claiming'

  return (
    <section aria-labelledby="handset-heading">
      <div className="sec">
        <h1 id="handset-heading">Handset</h1>
      </div>
      <p className={`soft small ${styles['lead']}`}>
        Numbers this machine answers. Any other number reaches the demo line.
      </p>
      {(list.state === 'failed' || (list.state === 'ready' && list.stale)) && (
        <p className="note warn" role="alert">
          The server isn't answering. Trying again every 5 seconds.
        </p>
      )}
      <ul className="rows">
        {mine !== null && (
          <li className="me">
            <PartyFlag isoCode={read(mine).isoCode} />
            <div>
              <b className="num">{read(mine).formatted}</b>
              <small>You, this window</small>
            </div>
          </li>
        )}
        {others.map(answered => (
          <Row key={answered.number} answered={answered} busy={busy} />
        ))}
      </ul>
    </section>
  )
}

function Row({ answered, busy }: { readonly answered: AnsweredNumber; readonly busy: boolean }) {
  const { number, isoCode, does, kind } = answered
  const { formatted } = useStore($readParty).read(number)
  return (
    <li>
      <PartyFlag isoCode={isoCode} />
      <div>
        <b className="num">{formatted}</b>
        <small>{does}</small>
      </div>
      {kind === 'script' && !busy && (
        <button
          type="button"
          className="btn plain"
          aria-label={`Take ${formatted}`}
          onClick={() => void listenOn(number)}
        >
          Take
        </button>
      )}
    </li>
  )
}
