import { CircleAlert } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { cardDigits } from '#lib/money/payment-card.ts'
import { type CardField, formatField } from './card-fields.ts'
import styles from './dev-checkout.module.css'

interface Looks {
  readonly label: string
  readonly autoComplete: string
  readonly placeholder?: string
}

const looks: Readonly<Record<CardField, Looks>> = {
  number: { label: 'Card number', autoComplete: 'cc-number' },
  expiry: { label: 'Expires', autoComplete: 'cc-exp', placeholder: 'MM / YY' },
  code: { label: 'Security code', autoComplete: 'cc-csc' },
  name: { label: 'Name on card', autoComplete: 'cc-name' },
}

export interface CardCellProps {
  readonly field: CardField
  readonly value: string
  readonly fault: string | null
  /** Id of an error message shown elsewhere that concerns this field. */
  readonly refusedBy?: string | undefined
  readonly onType: (value: string) => void
}

export function CardCell({ field, value, fault, refusedBy, onType }: CardCellProps) {
  const { label, autoComplete, placeholder } = looks[field]
  const keepCaret = useCaret(value)
  const id = `card-${field}`
  const text = field === 'name'
  const wide = text || field === 'number'
  return (
    <div className={wide ? 'cell full' : 'cell'}>
      <label htmlFor={id}>{label}</label>
      <input
        className={text ? 'bare' : 'bare num'}
        id={id}
        name={field}
        type="text"
        inputMode={text ? 'text' : 'numeric'}
        autoComplete={autoComplete}
        autoCorrect="off"
        spellCheck={false}
        placeholder={placeholder}
        required
        value={value}
        onChange={event => {
          if (!text) keepCaret(event.currentTarget)
          onType(formatField(field, event.currentTarget.value))
        }}
        aria-invalid={fault !== null || refusedBy !== undefined}
        aria-describedby={fault === null ? refusedBy : `${id}-fault`}
      />
      {fault !== null && (
        <p className={styles['fault']} id={`${id}-fault`}>
          <CircleAlert className="i" aria-hidden="true" />
          {fault}
        </p>
      )}
    </div>
  )
}

/** Keeps the caret behind the same digit; React would move it to the end. Call the result before setting the value. */
function useCaret(value: string): (input: HTMLInputElement) => void {
  const kept = useRef<{ readonly input: HTMLInputElement; readonly digits: number } | null>(null)
  useLayoutEffect(() => {
    if (kept.current === null) return
    const { input, digits } = kept.current
    kept.current = null
    let at = 0
    for (let seen = 0; seen < digits && at < value.length; at += 1) if (/\d/.test(value[at] ?? '')) seen += 1
    input.setSelectionRange(at, at)
  }, [value])
  return input => {
    const caret = input.selectionStart ?? input.value.length
    kept.current =
      caret === input.value.length ? null : { input, digits: cardDigits(input.value.slice(0, caret)).length }
  }
}
