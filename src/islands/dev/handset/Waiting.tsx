import { useStore } from '@nanostores/react'
import { EndedText } from '#shared/real-time-text/EndedText.tsx'
import type { Handset } from '#voice/handset-call.ts'
import styles from './handset.module.css'
import { giveUp } from './handset.ts'
import { $readParty } from './handset-parties.ts'
import { $handsetSettings } from './handset-settings.ts'
import { textTalk } from './handset-text.ts'
import { Note } from './Note.tsx'
import { Options } from './Options.tsx'
import { lastCallText, outOfReach, withheld } from './wording.ts'

export function Waiting({ handset }: { readonly handset: Extract<Handset, { readonly state: 'waiting' }> }) {
  const { read } = useStore($readParty)
  const { whenItRings } = useStore($handsetSettings)
  const { last, reachable, number } = handset
  const heading = whenItRings === 'busy' ? 'Busy to every caller' : 'Waiting for a call'
  return (
    <>
      <p className="hstate" role="status">
        {reachable ? heading : 'Out of reach'}
      </p>
      <div className={styles['mine']}>
        <span className="label">This telephone is</span>
        <p className="bignum num">{read(number).formatted}</p>
      </div>
      <div className={styles['say']} role="status">
        {!reachable ? (
          <Note tone="warn" text={outOfReach} />
        ) : (
          last !== null && <Note tone="plain" text={lastCallText(last)} />
        )}
      </div>
      {last !== null && (
        <EndedText talk={textTalk} name={last.from === null ? withheld : read(last.from).formatted} />
      )}
      <Options />
      <button type="button" className="btn wide" onClick={giveUp}>
        Give this number up
      </button>
    </>
  )
}
