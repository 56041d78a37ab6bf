import { useStore } from '@nanostores/react'
import { type ClipboardEvent, type InputEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { keepDialable } from '#lib/rules/dialable.ts'
import {
  $dial,
  $extension,
  $isEntered,
  deleteLast,
  editNumber,
  enterWritten,
  pasteNumber,
  pressKey,
  setExtension,
  setNumber,
} from '#stores/dial.ts'
import { placeCall } from '#stores/place-call.ts'
import styles from './dialler.module.css'
import { localTimeId, rateLineId } from './RateLine.tsx'
import { useAroundPhone } from './use-around-phone.ts'
import { useNumberKeys } from './use-number-keys.ts'

/** What no edit by hand brings along, but a text that was dropped or filled in. */
const words = /[a-z,;(]/i

/** The number to call: digits and a plus. Enter calls it. At its end stands what is played after the answer. */
export function NumberField() {
  const field = useRef<HTMLInputElement>(null)
  const extended = useStore($extension) !== ''
  const around = useAroundPhone(extended)

  // The field shows what it is given by itself: to render at each key would double what a key costs.
  useLayoutEffect(
    () =>
      $dial.subscribe(({ typed }) => {
        if (field.current !== null && field.current.value !== typed) field.current.value = typed
      }),
    [],
  )

  const edit = ({ currentTarget, nativeEvent }: InputEvent<HTMLInputElement>) => {
    const { value, selectionStart } = currentTarget
    const { data } = nativeEvent
    const caret = keepDialable(value.slice(0, selectionStart ?? value.length)).length
    const pauses = (data === ',' || data === ';') && caret > 0
    if (data?.length !== 1 && words.test(value)) enterWritten(value)
    else if (data === value) setNumber(value)
    else editNumber(value)
    // As on telephones: a pause begins what is played after the answer.
    if (pauses && $extension.get() === '') setExtension(',')
    const { typed } = $dial.get()
    if (typed === value) return
    // Also where the number did not change: what the edit brought along is left out.
    currentTarget.value = typed
    currentTarget.setSelectionRange(caret, caret)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const over = selectionStart === 0 && selectionEnd === value.length
    if (pasteNumber(event.clipboardData.getData('text'), over)) event.preventDefault()
  }
  const callOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The focus moves on to Hang up at once: this very key must not press it.
    event.preventDefault()
    if (!event.repeat && $isEntered.get()) void placeCall()
  }

  useNumberKeys({
    onType: pressKey,
    onPaste: enterWritten,
    onDelete: deleteLast,
    onCall: () => {
      if ($isEntered.get()) void placeCall()
    },
  })

  return (
    <div className={styles['field']}>
      <input
        ref={field}
        className="number num"
        type="tel"
        inputMode="tel"
        enterKeyHint="go"
        autoComplete="off"
        aria-label="Phone number"
        aria-describedby={`${rateLineId} ${localTimeId}`}
        placeholder="Enter phone number"
        onInput={edit}
        onPaste={paste}
        onKeyDown={callOnEnter}
      />
      {extended && around && <around.Extension field={field} />}
    </div>
  )
}
