import { useStore } from '@nanostores/react'
import { Phone, PhoneOff } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent } from 'react'
import type { Handset } from '#voice/handset-call.ts'
import styles from './handset.module.css'
import { answer, decline } from './handset.ts'
import { $readParty } from './handset-parties.ts'
import { $handsetSettings } from './handset-settings.ts'
import { Note } from './Note.tsx'
import { PartyFlag } from './PartyFlag.tsx'
import { faults, withheld } from './wording.ts'

/** Escape declines the call, unless a dialog uses it. */
function useEscape(onEscape: () => void): void {
  const press = useEffectEvent(onEscape)
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.repeat && !event.defaultPrevented) press()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Ignores key repeats: an Enter held down since before the call must not answer it. */
function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}

export function Ringing({ handset }: { readonly handset: Extract<Handset, { readonly state: 'ringing' }> }) {
  const { read } = useStore($readParty)
  const { whenItRings } = useStore($handsetSettings)
  const caller = handset.from === null ? null : read(handset.from)
  const name = caller?.formatted ?? withheld
  const nobody = whenItRings === 'never'
  useEscape(() => {
    if (!nobody) decline()
  })
  return (
    <>
      <p className={`hstate ${handset.answering ? '' : 'ring'}`} role="status">
        {handset.answering ? 'Answering' : 'Ringing'}
        <span className="sr">, call from {name}</span>
      </p>
      <div className="caller">
        <PartyFlag isoCode={caller?.isoCode ?? null} size={72} />
        <span className="label">Call from</span>
        <p className="bignum num">{name}</p>
        <p className="soft small">
          To <span className="num">{read(handset.number).formatted}</span>
        </p>
      </div>
      <div className={styles['foot']}>
        <div role="alert">{handset.fault !== null && <Note tone="bad" text={faults[handset.fault]} />}</div>
        {nobody ? (
          <p className={`soft small ${styles['centred']}`}>Nobody answers this telephone.</p>
        ) : (
          <div className="two2">
            <button type="button" className="btn hangup big" onClick={decline} onKeyDown={ignoreRepeats}>
              <PhoneOff className="i" aria-hidden="true" />
              Decline
            </button>
            <button
              type="button"
              className="btn call big"
              data-main=""
              aria-disabled={handset.answering}
              onClick={() => void answer()}
              onKeyDown={ignoreRepeats}
            >
              <Phone className="i" aria-hidden="true" />
              Answer
            </button>
          </div>
        )}
      </div>
    </>
  )
}
