import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { described, Field } from './Field.tsx'
import styles from './field.module.css'

export interface PasswordFieldProps {
  readonly id: string
  /** Where a form asks for more than one. */
  readonly label?: string
  readonly name?: string
  readonly fault: string | null
  readonly hint?: string
  readonly autoComplete: 'new-password' | 'current-password'
  readonly onCheck: (value: string) => void
  /** At the other end of the label's line. */
  readonly beside?: ReactNode
}

/** A field for a password, named `password` unless told otherwise, with a button that shows what was typed. It keeps its own value. */
export function PasswordField({
  id,
  label = 'Password',
  name = 'password',
  fault,
  hint,
  autoComplete,
  onCheck,
  beside,
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field id={id} label={label} hint={hint} fault={fault} beside={beside}>
      <div className={styles.secret}>
        <input
          className="input"
          id={id}
          name={name}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          onBlur={event => event.currentTarget.value !== '' && onCheck(event.currentTarget.value)}
          onChange={event => fault !== null && onCheck(event.currentTarget.value)}
          {...described(id, hint, fault)}
        />
        <button
          type="button"
          className="tap"
          aria-controls={id}
          aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff className="i" /> : <Eye className="i" />}
        </button>
      </div>
    </Field>
  )
}
