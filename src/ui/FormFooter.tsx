import { texts } from './dialog-texts.ts'

export interface FormFooterProps {
  /** The id of the dialog's form. */
  readonly form: string
  /** Of the submit button. */
  readonly label: string
  readonly onCancel: () => void
}

export function FormFooter({ form, label, onCancel }: FormFooterProps) {
  return (
    <>
      <button type="button" className="btn" onClick={onCancel}>
        {texts.cancel}
      </button>
      <button type="submit" form={form} className="btn primary">
        {label}
      </button>
    </>
  )
}
