import { described, Field } from './Field.tsx'

export interface EmailFieldProps {
  readonly id: string
  readonly fault: string | null
  readonly onCheck: (value: string) => void
}

/** The field named `email`. It keeps its own value: what was typed before the script ran stays. */
export function EmailField({ id, fault, onCheck }: EmailFieldProps) {
  return (
    <Field id={id} label="E-mail" fault={fault}>
      <input
        className="input"
        id={id}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="you@example.com"
        required
        onBlur={event => event.currentTarget.value !== '' && onCheck(event.currentTarget.value)}
        onChange={event => fault !== null && onCheck(event.currentTarget.value)}
        {...described(id, undefined, fault)}
      />
    </Field>
  )
}
