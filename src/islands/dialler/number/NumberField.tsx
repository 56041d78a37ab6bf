import { useStore } from '@nanostores/react'
import { type ClipboardEvent, type InputEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { placeCall } from '../call/place-call.ts'
import styles from '../dialler.module.css'
import { texts } from '../texts.ts'
import { useLazyDialler } from '../use-lazy-dialler.ts'
import { localTimeId, rateLineId } from './description-ids.ts'
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
} from './dial.ts'
import { useNumberKeys } from './use-number-keys.ts'

/** Typing never produces these, but dropped or autofilled text does. */
const letterPattern = /[a-z,;(]/i

/** The number to call, digits and a plus, with the extension at its end. Enter calls it. */
export function NumberField() {
  const field = useRef<HTMLInputElement>(null)
  const extended = useStore($extension) !== ''
  const lazy = useLazyDialler(extended)

  // Updates the field directly: rendering at each key would double the cost of a key.
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
    if (data?.length !== 1 && letterPattern.test(value)) enterWritten(value)
    else if (data === value) setNumber(value)
    else editNumber(value)
    // As on phones, a pause begins the extension.
    if (pauses && $extension.get() === '') setExtension(',')
    const { typed } = $dial.get()
    if (typed === value) return
    // Removes dropped characters even if the number did not change.
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
    // The focus moves to Hang up at once; this key must not press it.
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
    <div className={styles['field']} dir="ltr">
      <input
        ref={field}
        className="number num"
        type="tel"
        inputMode="tel"
        enterKeyHint="go"
        autoComplete="off"
        aria-label={texts.phoneNumber}
        aria-describedby={`${rateLineId} ${localTimeId}`}
        placeholder={texts.enterNumber}
        onInput={edit}
        onPaste={paste}
        onKeyDown={callOnEnter}
      />
      {extended && lazy && <lazy.Extension field={field} />}
    </div>
  )
}
