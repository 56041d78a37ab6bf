import { described, Field } from './Field.tsx'
import { texts } from './form-texts.ts'

export interface EmailFieldProps {
  readonly id: string
  readonly fault: string | null
  readonly onCheck: (value: string) => void
  /** `username` if the form also has a password: password managers then fill in and save the pair. */
  readonly autoComplete?: 'email' | 'username'
}

/** The field named `email`. Uncontrolled, so that text typed before hydration stays. */
export function EmailField({ id, fault, onCheck, autoComplete = 'email' }: EmailFieldProps) {
  return (
    <Field id={id} label={texts.email} fault={fault}>
      <input
        className="input"
        id={id}
        name="email"
        type="email"
        dir="ltr"
        inputMode="email"
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        placeholder={texts.emailExample}
        required
        onBlur={event => event.currentTarget.value !== '' && onCheck(event.currentTarget.value)}
        onChange={event => fault !== null && onCheck(event.currentTarget.value)}
        {...described(id, undefined, fault)}
      />
    </Field>
  )
}
