import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { createKeyPress } from './key-press.ts'
import styles from './keypad.module.css'
import { texts } from './texts.ts'

interface Keys {
  /** @param key 0-9, and in a call `*` and `#`, which are not part of a number */
  readonly onKey: (key: string) => void
}

/** While a number is entered, 0 can be held down for a plus; not in a call. */
export type KeypadProps =
  | (Keys & { readonly mode: 'call' })
  | (Keys & { readonly mode: 'number'; readonly onHoldZero: () => void })

const keys = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', '+'],
  ['#', ''],
] as const

const spoken = (key: string) => (key === '*' ? texts.star : key === '#' ? texts.hash : undefined)

export function Keypad(props: KeypadProps) {
  const idle = props.mode === 'number' ? ['*', '#'] : []
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const [press] = useState(() =>
    createKeyPress({
      onKey: key => latest.current.onKey(key),
      onHold: key => {
        const { current } = latest
        if (key !== '0' || current.mode !== 'number') return false
        current.onHoldZero()
        return true
      },
    }),
  )
  const ignoreRepeats = (event: KeyboardEvent) => {
    if (event.repeat && event.key !== 'Tab') event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its frame; this groups twelve buttons.
    <div className="keypad" dir="ltr" role="group" aria-label={texts.keypad}>
      {keys.map(([key, letters]) => (
        <button
          type="button"
          key={key}
          className={styles['key']}
          aria-label={spoken(key)}
          aria-disabled={idle.includes(key) || undefined}
          onPointerDown={event => press.down(key, event)}
          onPointerUp={press.up}
          onPointerLeave={press.leave}
          onPointerCancel={press.leave}
          onClick={event => {
            if (!idle.includes(key)) press.click(key, event.detail)
          }}
          onKeyDown={ignoreRepeats}
        >
          {key === '*' || key === '#' ? (
            <span className={key === '*' ? styles['star'] : ''}>{key}</span>
          ) : (
            key
          )}{' '}
          <small>{letters}</small>
        </button>
      ))}
    </div>
  )
}
