import { type SubmitEvent, useId, useState } from 'react'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import styles from '../profile.module.css'
import { texts as profile } from '../texts.ts'
import { texts } from './texts.ts'

export interface NamePasskeyDialogProps {
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

const fieldId = 'passkey-name'
const maxLength = 60

function nameFault(name: string): string | null {
  if (name.trim() === '') return texts.nameless
  return name.trim().length > maxLength ? texts.tooLong({ max: maxLength }) : null
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
      title={texts.addPasskey}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {profile.cancel}
          </button>
          <button type="submit" className="btn primary" form={formId}>
            {texts.continue}
          </button>
        </>
      }
    >
      <p>{texts.where}</p>
      <form id={formId} className={styles['confirm']} noValidate onSubmit={submit}>
        <Field id={fieldId} label={texts.name} hint={texts.nameHint} fault={fault}>
          <input
            className="input"
            dir="auto"
            id={fieldId}
            name="name"
            type="text"
            autoComplete="off"
            required
            onChange={event => fault !== null && setFault(nameFault(event.currentTarget.value))}
            {...described(fieldId, texts.nameHint, fault)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
