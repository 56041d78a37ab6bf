import { useStore } from '@nanostores/react'
import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { keepDialable } from '#lib/rules/dialable.ts'
import { $dial, deleteLast, setNumber } from '#stores/dial.ts'
import { placeCall } from '#stores/place-call.ts'
import { rateLineId } from './RateLine.tsx'
import { useNumberKeys } from './use-number-keys.ts'

/** The number to call: digits and a plus. Enter calls it. */
export function NumberField() {
  const { typed } = useStore($dial)
  const field = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  // What was left out of an edit would otherwise send the caret to the end.
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const edit = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = currentTarget
    // Where nothing is left out the caret stands right, and to put it there would cost a layout at each key.
    if (keepDialable(value) !== value)
      caret.current = keepDialable(value.slice(0, selectionStart ?? value.length)).length
    setNumber(value)
  }
  const callOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The focus moves on to Hang up at once: this very key must not press it.
    event.preventDefault()
    if (!event.repeat && typed !== '') void placeCall()
  }

  useNumberKeys({
    onType: text => setNumber(typed + text),
    onPaste: setNumber,
    onDelete: deleteLast,
    onCall: () => {
      if (typed !== '') void placeCall()
    },
  })

  return (
    <input
      ref={field}
      className="number num"
      type="tel"
      inputMode="tel"
      enterKeyHint="go"
      autoComplete="off"
      aria-label="Phone number"
      aria-describedby={rateLineId}
      placeholder="Enter phone number"
      value={typed}
      onChange={edit}
      onKeyDown={callOnEnter}
    />
  )
}
