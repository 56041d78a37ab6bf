import { type SubmitEvent, useId, useState } from 'react'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import styles from '../profile.module.css'

export interface NamePasskeyDialogProps {
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

const fieldId = 'passkey-name'
const hint = 'To recognise it later, for example My phone'

function nameFault(name: string): string | null {
  if (name.trim() === '') return 'Give the passkey a name.'
  return name.trim().length > 60 ? 'At most 60 characters.' : null
}

export function NamePasskeyDialog({ onName, onClose }: NamePasskeyDialogProps) {
  const formId = useId()
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = textOf(form, 'name')
    const found = nameFault(name)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    onName(name.trim())
  }
  return (
    <Dialog
      title="Add a passkey"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn primary" form={formId}>
            Continue
          </button>
        </>
      }
    >
      <p>Next, your browser will ask where to keep it: on this device, on your phone or on a security key.</p>
      <form id={formId} className={styles['confirm']} noValidate onSubmit={submit}>
        <Field id={fieldId} label="Name" hint={hint} fault={fault}>
          <input
            className="input"
            id={fieldId}
            name="name"
            type="text"
            autoComplete="off"
            required
            onChange={event => fault !== null && setFault(nameFault(event.currentTarget.value))}
            {...described(fieldId, hint, fault)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
