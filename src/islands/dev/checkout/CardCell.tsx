import { CircleAlert } from 'lucide-react'
import { type CardField, formatField } from './card-fields.ts'
import styles from './dev-checkout.module.css'
import { useCaret } from './use-caret.ts'

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
