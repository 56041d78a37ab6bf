import { useStore } from '@nanostores/react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import type { AnsweredCall } from '#lib/rules/call.ts'
import { insertedText, typableDigits } from '#lib/rules/digits.ts'
import { $digits, callLine } from '#stores/call.ts'
import { $contactNames } from '#stores/contacts.ts'
import { CallCost } from './CallCost.tsx'
import contactStyles from './contacts.module.css'
import styles from './dialler.module.css'
import inCall from './in-call.module.css'
import { Timer } from './Timer.tsx'

/** Above the keypad during a call: whom, how long, and the digits as they leave. */
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

  /** A key that is leaned on is one digit, not a flood of them. */
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
        aria-label="Digits to send"
        placeholder="Navigate menus (0-9, *, #)"
        value={sent}
        // What the browser does not announce beforehand: what an input method composes or replaces.
        onChange={event => callLine.sendDigits(typableDigits(insertedText(sent, event.target.value)))}
        onKeyDown={ignoreRepeats}
        onPaste={paste}
      />
    </div>
  )
}

/** What is typed is sent, and not read off the field's value: over selected digits, the same one leaves it as it was. */
function sendTyped(event: InputEvent): void {
  if (event.data === null || !event.cancelable) return
  event.preventDefault()
  callLine.sendDigits(typableDigits(event.data))
}
