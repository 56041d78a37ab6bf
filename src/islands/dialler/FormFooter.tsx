export interface FormFooterProps {
  /** The id of the form that the dialog holds. */
  readonly form: string
  /** On the button that sends it. */
  readonly label: string
  readonly onCancel: () => void
}

/** The foot of a dialog that holds a form: the way out, and the button that sends it. */
export function FormFooter({ form, label, onCancel }: FormFooterProps) {
  return (
    <>
      <button type="button" className="btn" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" form={form} className="btn primary">
        {label}
      </button>
    </>
  )
}
