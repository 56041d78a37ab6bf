import { useRef } from 'react'
import styles from './dialler.module.css'

export interface KeypadProps {
  /** A key was pressed: 0-9, `*`, `#`, or `+` where 0 was held down. */
  readonly onKey: (key: string) => void
  /** Whether holding 0 down gives a plus, as on telephones. */
  readonly plus: boolean
}

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

const spoken: Readonly<Record<string, string>> = { '*': '* star', '#': '# hash' }
const longPressMs = 500

/** The block of twelve keys. */
export function Keypad({ onKey, plus }: KeypadProps) {
  const holding = useRef<ReturnType<typeof setTimeout>>(undefined)
  const held = useRef<boolean>(false)

  const press = (key: string) => {
    if (!held.current) onKey(key)
    held.current = false
  }
  const startHolding = () => {
    held.current = false
    holding.current = setTimeout(() => {
      held.current = true
      onKey('+')
    }, longPressMs)
  }
  const stopHolding = () => clearTimeout(holding.current)

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its frame; this groups twelve buttons.
    <div className="keypad" role="group" aria-label="Keypad">
      {keys.map(([key, letters]) => (
        <button
          type="button"
          key={key}
          aria-label={spoken[key] ?? key}
          onClick={() => press(key)}
          {...(key === '0' && plus
            ? { onPointerDown: startHolding, onPointerUp: stopHolding, onPointerLeave: stopHolding }
            : {})}
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
