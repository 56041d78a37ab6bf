import { useEffect, useState } from 'react'
import { type PendingCall, pendingCall } from '#session/pending-call.ts'
import { Flag } from '#ui/Flag.tsx'
import styles from './addressed-envelope.module.css'
import { texts } from './texts.ts'

/** The pending call of this browser; null on the server and until the page is drawn. */
export function usePendingCall(): PendingCall | null {
  const [call, setCall] = useState<PendingCall | null>(null)
  useEffect(() => setCall(pendingCall()), [])
  return call
}

const waves = [9, 21, 33].map(y => `M2 ${y}q7-6 14 0${'t14 0'.repeat(6)}`).join('')

/** The pending call as a letter: its number is the address, its flag the stamp. Decoration: the text beside names it. */
export function AddressedEnvelope({ call }: { readonly call: PendingCall }) {
  return (
    <div className={styles['envelope']} aria-hidden="true">
      <div className={`stamp ${styles['stamp']}`}>
        <div className="plate">
          <Flag isoCode={call.country.slice(0, 2).toUpperCase()} size={40} />
        </div>
      </div>
      <svg className={styles['postmark']} viewBox="0 0 102 42" aria-hidden="true">
        <path d={waves} />
      </svg>
      <span className="label">{texts.to}</span>
      <p className={`num ${styles['address']}`}>
        <bdi dir="ltr">{call.formatted}</bdi>
      </p>
    </div>
  )
}

/** What signing up leads to, with the call that waits. */
export function PendingCallText({ call }: { readonly call: PendingCall }) {
  return (
    <p className="soft">
      {texts.callIsNext({
        number: call.formatted,
        b: number => (
          <b key="number" className="num">
            {number}
          </b>
        ),
      })}
    </p>
  )
}
