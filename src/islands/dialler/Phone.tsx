import { useEffect, useState } from 'react'
import { Keypad } from '#shared/keypad/Keypad.tsx'
import { useStoreAfterPaint } from '#ui/after-paint.ts'
import { type Call, isAnswered, isLive, type LiveCall } from '#voice/call.ts'
import { Actions } from './call/Actions.tsx'
import { $call } from './call/call.ts'
import styles from './dialler.module.css'
import { Address } from './number/Address.tsx'
import { holdZero, pressKey } from './number/dial.ts'
import { StatusLine } from './StatusLine.tsx'
import { TopBar } from './TopBar.tsx'
import { texts } from './texts.ts'
import { useLazyDialler } from './use-lazy-dialler.ts'

/** Classes for the style sheet: striped edge, flat waves, dotted waves, turning postmark. */
function phoneClass(call: Call, keypad: boolean): string {
  if (!isLive(call)) return 'phone'
  if (!isAnswered(call)) return 'phone ringing'
  return [
    'phone live',
    keypad && 'compact',
    call.muted && 'muted',
    call.state === 'reconnecting' && 'waiting',
  ]
    .filter(Boolean)
    .join(' ')
}

export function Phone() {
  // The button and the status answer a press; the view between them, which is most of the work, follows a paint later.
  const call = useStoreAfterPaint($call)
  const answered = isAnswered(call)
  const [keypad, setKeypad] = useState(false)

  useEffect(() => {
    if (!answered) setKeypad(false)
  }, [answered])
  const lazy = useLazyDialler(isLive(call))

  return (
    <section className={phoneClass(call, keypad)} aria-label={texts.phone}>
      <h1 className="sr">{texts.call}</h1>
      <TopBar />
      {/* In every view: a newly inserted live region would announce nothing. */}
      <StatusLine aside={answered && keypad && lazy && <lazy.QualityAside />} />
      {isLive(call) ? (
        lazy ? (
          <lazy.InCall
            call={call}
            keypad={keypad}
            onDigits={() => setKeypad(true)}
            onText={() => setKeypad(false)}
          />
        ) : (
          <Plain call={call} />
        )
      ) : (
        <div className={styles['entry']}>
          {lazy && <lazy.PeopleRow />}
          <Address />
          <Keypad mode="number" onKey={pressKey} onHoldZero={holdZero} />
          {lazy && <lazy.CallEnded place="phone" />}
        </div>
      )}
      <Actions keypad={keypad} onKeypad={() => setKeypad(open => !open)} />
    </section>
  )
}

/** A call whose view has not loaded. */
function Plain({ call }: { readonly call: LiveCall }) {
  return (
    <div className="talk">
      <p className="who num" dir="ltr">
        {call.callee.formatted}
      </p>
    </div>
  )
}
