import { useStore } from '@nanostores/react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { $contactNames } from '#shared/contacts.ts'
import type { AnsweredCall } from '#voice/call.ts'
import { insertedText, typableDigits } from '#voice/digits.ts'
import contactStyles from '../contacts/contacts.module.css'
import styles from '../dialler.module.css'
import { CallCost } from './CallCost.tsx'
import { $digits, callLine } from './call.ts'
import inCall from './in-call.module.css'
import { Timer } from './Timer.tsx'
import { texts } from './texts.ts'

export function DigitsPanel({ call }: { readonly call: AnsweredCall }) {
  const { sent } = useStore($digits)
  const name = useStore($contactNames).get(call.callee.e164)

  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listening = new AbortController()
    field.current?.addEventListener('beforeinput', sendTyped, listening)
    return () => listening.abort()
  }, [])

  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    callLine.sendDigits(event.clipboardData.getData('text'))
  }

  /** A key held down is one digit. */
  const ignoreRepeats = (event: KeyboardEvent) => {
    if (event.repeat && event.key.length === 1 && typableDigits(event.key) !== '') event.preventDefault()
  }

  return (
    <div className={`address ${styles['digits']}`}>
      <div className={`to ${styles['party']}`}>
        <p className={`num ${styles['who']} ${contactStyles.who}`}>
          <bdi>{name ?? call.callee.formatted}</bdi>
        </p>
        <Timer sinceMs={call.answeredAtMs} className={styles['timer'] ?? ''} />
      </div>
      <p className={`meta num ${inCall.meta}`}>
        <CallCost call={call} />
      </p>
      <input
        ref={field}
        className="number num"
        type="text"
        inputMode="tel"
        autoComplete="off"
        aria-label={texts.digits}
        dir="ltr"
        placeholder={texts.navigateMenus}
        value={sent}
        // For input without `beforeinput`, such as from an input method.
        onChange={event => callLine.sendDigits(typableDigits(insertedText(sent, event.target.value)))}
        onKeyDown={ignoreRepeats}
        onPaste={paste}
      />
    </div>
  )
}

/** Reads the event, not the field: typing over selected equal digits leaves the field's value unchanged. */
function sendTyped(event: InputEvent): void {
  if (event.data === null || !event.cancelable) return
  event.preventDefault()
  callLine.sendDigits(typableDigits(event.data))
}
