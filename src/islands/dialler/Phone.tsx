import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { type Call, isAnswered, isLive } from '#lib/rules/call.ts'
import { $call, callLine } from '#stores/call.ts'
import { holdZero, pressKey } from '#stores/dial.ts'
import { Actions } from './Actions.tsx'
import { Address } from './Address.tsx'
import { DigitsPanel } from './DigitsPanel.tsx'
import styles from './dialler.module.css'
import { Keypad } from './Keypad.tsx'
import { Slot } from './Slot.tsx'
import { Talk } from './Talk.tsx'
import { TopLine } from './TopLine.tsx'
import { useDigitKeys } from './use-digit-keys.ts'

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
  useDigitKeys(answered, text => {
    callLine.sendDigits(text)
    setKeypad(true)
  })

  return (
    <section className={phoneClass(call, keypad)} aria-label="Phone">
      <h1 className="sr">Call</h1>
      <TopLine />
      {/* Here in every view: a live region that is put anew into the page says nothing. */}
      <Slot />
      {isLive(call) && !(answered && keypad) ? (
        <Talk call={call} />
      ) : (
        <div className={styles['entry']}>
          {answered ? <DigitsPanel call={call} /> : <Address />}
          {answered ? (
            <Keypad mode="call" onKey={callLine.sendDigits} />
          ) : (
            <Keypad mode="number" onKey={pressKey} onHoldZero={holdZero} />
          )}
        </div>
      )}
      <Actions call={call} keypad={keypad} onKeypad={() => setKeypad(open => !open)} />
    </section>
  )
}
