import { Keypad } from '#shared/keypad/Keypad.tsx'
import { useDigitKeys } from '#shared/keypad/use-digit-keys.ts'
import { type AnsweredCall, isAnswered, type LiveCall } from '#voice/call.ts'
import styles from '../dialler.module.css'
import { ActiveCall } from './ActiveCall.tsx'
import { callLine } from './call.ts'
import { DigitsPanel } from './DigitsPanel.tsx'

export interface InCallProps {
  readonly call: LiveCall
  readonly keypad: boolean
  /** A digit was typed or pasted outside the keypad's view. */
  readonly onDigits: () => void
}

export function InCall({ call, keypad, onDigits }: InCallProps) {
  useDigitKeys(isAnswered(call), text => {
    callLine.sendDigits(text)
    onDigits()
  })
  return isAnswered(call) && keypad ? <Menu call={call} /> : <ActiveCall call={call} />
}

function Menu({ call }: { readonly call: AnsweredCall }) {
  return (
    <div className={styles['entry']}>
      <DigitsPanel call={call} />
      <Keypad mode="call" onKey={callLine.sendDigits} />
    </div>
  )
}
