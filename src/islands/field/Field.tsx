import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './field.module.css'

export interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with the value; null when nothing is. */
  readonly fault: string | null
  /** At the other end of the label's line. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

function hintId(id: string): string {
  return `${id}-hint`
}

function faultId(id: string): string {
  return `${id}-fault`
}

/** What an input says about itself to those who do not see the texts around it. */
export function described(id: string, hint: string | undefined, fault: string | null) {
  const hintShown = hint === undefined ? undefined : hintId(id)
  return {
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? hintShown : faultId(id),
  }
}

/** A label, the input given as its child, and beneath it a hint, or instead what is wrong. */
export function Field({ id, label, hint, fault, beside, children }: FieldProps) {
  return (
    <div className="field">
      {beside === undefined ? (
        <label htmlFor={id}>{label}</label>
      ) : (
        <div className={styles['line']}>
          <label className="label" htmlFor={id}>
            {label}
          </label>
          {beside}
        </div>
      )}
      {children}
      {hint !== undefined && fault === null && (
        <p className="hint" id={hintId(id)}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p className="error" id={faultId(id)}>
          <CircleAlert className="i" />
          {fault}
        </p>
      )}
    </div>
  )
}
