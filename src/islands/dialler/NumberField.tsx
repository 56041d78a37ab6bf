import { type InputEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { keepDialable } from '#lib/rules/dialable.ts'
import { $dial, $isEntered, deleteLast, pressKey, setNumber } from '#stores/dial.ts'
import { placeCall } from '#stores/place-call.ts'
import { rateLineId } from './RateLine.tsx'
import { useNumberKeys } from './use-number-keys.ts'

/** The number to call: digits and a plus. Enter calls it. */
export function NumberField() {
  const field = useRef<HTMLInputElement>(null)

  // The field shows what it is given by itself: to render at each key would double what a key costs.
  useLayoutEffect(
    () =>
      $dial.subscribe(({ typed }) => {
        if (field.current !== null && field.current.value !== typed) field.current.value = typed
      }),
    [],
  )

  const edit = ({ currentTarget }: InputEvent<HTMLInputElement>) => {
    const { value, selectionStart } = currentTarget
    const caret = keepDialable(value.slice(0, selectionStart ?? value.length)).length
    setNumber(value)
    const { typed } = $dial.get()
    if (typed === value) return
    // Also where the number did not change: what the edit brought along is left out.
    currentTarget.value = typed
    currentTarget.setSelectionRange(caret, caret)
  }
  const callOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The focus moves on to Hang up at once: this very key must not press it.
    event.preventDefault()
    if (!event.repeat && $isEntered.get()) void placeCall()
  }

  useNumberKeys({
    onType: pressKey,
    onPaste: setNumber,
    onDelete: deleteLast,
    onCall: () => {
      if ($isEntered.get()) void placeCall()
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
      onInput={edit}
      onKeyDown={callOnEnter}
    />
  )
}
