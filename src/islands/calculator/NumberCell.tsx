import type { KeyboardEvent } from 'react'
import { useRested } from '#ui/use-rested.ts'
import styles from './calculator.module.css'
import { type Calculation, enterNumber, prepareNumbers } from './calculator.ts'
import type { CallableNumber } from './number-reading.ts'
import { texts } from './texts.ts'

export const numberFieldId = 'calculator-number'
const sayingId = 'calculator-number-is'

/** A number that is being typed is called incomplete only after this pause. */
const restMs = 1200

interface NumberCellProps {
  readonly calculation: Calculation
  /** Call was pressed, so what is wrong shows at once. */
  readonly pressed: boolean
  readonly onCall: () => void
}

/** The number to call in any written form, and below it what kind it is and what time it is there. */
export function NumberCell({ calculation, pressed, onCall }: NumberCellProps) {
  const { number } = calculation
  const wrong = number.kind === 'fault' ? number.text : ''
  const rested = useRested(wrong, restMs)
  const fault = wrong !== '' && (pressed || rested === wrong) ? wrong : null
  const callOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.repeat) return
    event.preventDefault()
    onCall()
  }
  return (
    <div className="cell full">
      <label htmlFor={numberFieldId}>{texts.numberToCall}</label>
      <input
        id={numberFieldId}
        className={`num ${styles['number']}`}
        type="tel"
        inputMode="tel"
        enterKeyHint="go"
        autoComplete="off"
        placeholder={texts.example}
        aria-invalid={fault !== null}
        aria-describedby={sayingId}
        onFocus={prepareNumbers}
        onChange={event => void enterNumber(event.target.value)}
        onKeyDown={callOnEnter}
      />
      <p id={sayingId} className={`small ${fault === null ? '' : styles['fault']}`} role="status">
        {fault}
        {number.kind === 'reading' && pressed && texts.checking}
        {number.kind === 'ok' && aboutNumber(number)}
      </p>
    </div>
  )
}

/** `+91 98765 43210 · Mobile · 20:34 there`. */
function aboutNumber({ formatted, extension, type, there }: CallableNumber): string {
  const keys = extension.replace(/^,+/, '')
  const parts = [formatted, keys === '' ? null : texts.extension({ keys }), type, there]
  return parts.filter(part => part !== null).join(' · ')
}
