import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { described, Field } from './Field.tsx'
import styles from './field.module.css'
import { texts } from './form-texts.ts'

export interface PasswordFieldProps {
  readonly id: string
  /** Set when a form has more than one password field. */
  readonly label?: string
  readonly name?: string
  readonly fault: string | null
  readonly hint?: string
  readonly autoComplete: 'new-password' | 'current-password'
  readonly onCheck: (value: string) => void
  /** Shown at the end of the label's line. */
  readonly labelAside?: ReactNode
}

/** A password field with a button that reveals it. Uncontrolled; named `password` by default. */
export function PasswordField({
  id,
  label = texts.password,
  name = 'password',
  fault,
  hint,
  autoComplete,
  onCheck,
  labelAside: beside,
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const field = label.toLowerCase()
  return (
    <Field id={id} label={label} hint={hint} fault={fault} labelAside={beside}>
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
          aria-label={shown ? texts.hide({ field }) : texts.show({ field })}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff className="i" /> : <Eye className="i" />}
        </button>
      </div>
    </Field>
  )
}
