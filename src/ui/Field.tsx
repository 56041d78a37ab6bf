import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './field.module.css'

export interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  /** The error message, which may have a link; null when the value is valid. */
  readonly fault: ReactNode
  /** Shown at the end of the label's line. */
  readonly labelAside?: ReactNode
  readonly children: ReactNode
}

function hintId(id: string): string {
  return `${id}-hint`
}

function faultId(id: string): string {
  return `${id}-fault`
}

/** The ARIA attributes that link an input to its hint or error. */
export function described(id: string, hint: string | undefined, fault: ReactNode) {
  const hintShown = hint === undefined ? undefined : hintId(id)
  return {
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? hintShown : faultId(id),
  }
}

export function Field({ id, label, hint, fault, labelAside: beside, children }: FieldProps) {
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
