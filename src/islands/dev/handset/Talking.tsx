import { useStore } from '@nanostores/react'
import { Mic, MicOff, PhoneOff } from 'lucide-react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { formatTimer } from '#lib/calls/duration.ts'
import { Keypad } from '#shared/keypad/Keypad.tsx'
import { useDigitKeys } from '#shared/keypad/use-digit-keys.ts'
import { TextButton } from '#shared/real-time-text/TextButton.tsx'
import { TextPane } from '#shared/real-time-text/TextPane.tsx'
import { useElapsedMs } from '#ui/use-elapsed.ts'
import type { Handset } from '#voice/handset-call.ts'
import styles from './handset.module.css'
import { hangUp, press, setMuted } from './handset.ts'
import { $readParty } from './handset-parties.ts'
import { textTalk } from './handset-text.ts'
import { Note } from './Note.tsx'
import { lineLost, soundLost, withheld } from './wording.ts'

type TalkingHandset = Extract<Handset, { readonly state: 'talking' }>

export function Talking({ handset }: { readonly handset: TalkingHandset }) {
  const { read } = useStore($readParty)
  const { from, lost, muted } = handset
  const Icon = muted ? MicOff : Mic
  const { open } = useStore(textTalk.$text)
  const name = from === null ? withheld : read(from).formatted
  useDigitKeys(!open, press)

  // A double click or a held Enter must not answer and then hang up.
  const end = (event: MouseEvent) => {
    if (event.detail <= 1) hangUp()
  }
  const ignoreRepeats = (event: KeyboardEvent) => {
    if (event.repeat) event.preventDefault()
  }

  return (
    <>
      <p className="hstate on">
        <span role="status">Answered</span>, <Elapsed sinceMs={handset.answeredAtMs} />
      </p>
      <div className="caller">
        <span className="label">Call from</span>
        <p className="bignum num">{name}</p>
        <div className={`${styles['say']} ${styles['below']}`} role="status">
          {lost !== null && <Note tone="warn" text={lost === 'signalling' ? lineLost : soundLost} />}
        </div>
      </div>
      {open ? (
        <TextPane talk={textTalk} name={name} />
      ) : (
        <>
          <p className="heard">
            <span className="label">Digits heard</span>
            <b className={`num ${styles['digits']}`}>
              <Digits digits={handset.digits} />
            </b>
          </p>
          <TextButton talk={textTalk} />
          <Keypad mode="call" onKey={press} />
        </>
      )}
      <div className="two2">
        <button
          type="button"
          className={`btn ${styles['mute']}`}
          aria-pressed={muted}
          onClick={() => setMuted(!muted)}
        >
          <Icon className="i" aria-hidden="true" />
          {muted ? 'Muted' : 'Mute'}
        </button>
        <button type="button" className="btn hangup" data-main="" onClick={end} onKeyDown={ignoreRepeats}>
          <PhoneOff className="i" aria-hidden="true" />
          Hang up
        </button>
      </div>
    </>
  )
}

/** `role="timer"` is read out by screen readers only on request. */
function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  return (
    <span className="num" role="timer" aria-label="Time in call">
      {formatTimer(useElapsedMs(sinceMs))}
    </span>
  )
}

/** A log: screen readers announce new digits. The newest are at the end, as many as fit are visible. */
function Digits({ digits }: { readonly digits: string }) {
  return <span role="log">{[...digits].join(' ') || '\u00a0'}</span>
}
