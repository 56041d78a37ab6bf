import type { ReactNode } from 'react'
import { described, Field } from '#ui/Field.tsx'

type TextInput = HTMLInputElement | HTMLTextAreaElement

interface TextFieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly value: string
  /** The error message; null when the value is valid. */
  readonly fault: string | null
  readonly onChange: (value: string) => void
  readonly onLeave: (value: string) => void
  /** Renders the input, or the textarea, with the attributes that link it to its label and hint. */
  readonly children: (input: {
    readonly className: string
    readonly id: string
    readonly name: string
    readonly value: string
    readonly onChange: (event: { readonly currentTarget: TextInput }) => void
    readonly onBlur: (event: { readonly currentTarget: TextInput }) => void
  }) => ReactNode
}

export function TextField({ children, onChange, onLeave, value, name, ...field }: TextFieldProps) {
  const { id, hint, fault } = field
  return (
    <Field {...field}>
      {children({
        className: 'input',
        id,
        name,
        value,
        onChange: event => onChange(event.currentTarget.value),
        onBlur: event => onLeave(event.currentTarget.value),
        ...described(id, hint, fault),
      })}
    </Field>
  )
}
