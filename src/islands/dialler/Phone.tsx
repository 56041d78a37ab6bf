import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { type Call, isAnswered, isLive, type LiveCall } from '#lib/rules/call.ts'
import { $call } from '#stores/call.ts'
import { holdZero, pressKey } from '#stores/dial.ts'
import { Actions } from './Actions.tsx'
import { Address } from './Address.tsx'
import styles from './dialler.module.css'
import { Keypad } from './Keypad.tsx'
import { Slot } from './Slot.tsx'
import { TopLine } from './TopLine.tsx'
import { useAroundPhone } from './use-around-phone.ts'

/** Classes by which the style sheet draws the phone: striped edge, flat waves, dotted waves, turning postmark. */
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
  const call = useStore($call)
  const answered = isAnswered(call)
  const [keypad, setKeypad] = useState(false)

  useEffect(() => {
    if (!answered) setKeypad(false)
  }, [answered])
  const around = useAroundPhone(isLive(call))

  return (
    <section className={phoneClass(call, keypad)} aria-label="Phone">
      <h1 className="sr">Call</h1>
      <TopLine />
      {/* Here in every view: a live region that is put anew into the page says nothing. */}
      <Slot aside={answered && keypad && around && <around.QualityAside />} />
      {isLive(call) ? (
        around ? (
          <around.InCall call={call} keypad={keypad} onDigits={() => setKeypad(true)} />
        ) : (
          <Plain call={call} />
        )
      ) : (
        <div className={styles['entry']}>
          <Address />
          <Keypad mode="number" onKey={pressKey} onHoldZero={holdZero} />
          {around && <around.CallEnded place="phone" />}
        </div>
      )}
      <Actions call={call} keypad={keypad} onKeypad={() => setKeypad(open => !open)} />
    </section>
  )
}

/** A call that begins before its view has loaded, or where that never does. */
function Plain({ call }: { readonly call: LiveCall }) {
  return (
    <div className="talk">
      <p className="who num">{call.callee.formatted}</p>
    </div>
  )
}
