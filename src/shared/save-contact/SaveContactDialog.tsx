import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormFooter } from '#ui/FormFooter.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { type NewNumber, saveContact } from '../contacts.ts'

export interface UnsavedNumber extends NewNumber {
  /** Spaced for reading, if the number is complete. */
  readonly formatted: string
  /** The contact's name if the number is saved without its extension; empty if it is not saved. */
  readonly knownAs: string
}

interface SaveContactDialogProps {
  readonly number: UnsavedNumber
  readonly onClose: (saved: boolean) => void
}

const formId = 'save-contact'
const fieldId = 'contact-name'

/** Asks for a contact's name. After a failure, the typed name stays. */
export function SaveContactDialog({ number, onClose }: SaveContactDialogProps) {
  const { formatted, knownAs, ...toSave } = number
  const [name, setName] = useState(knownAs)
  const [fault, setFault] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { slow, run } = useBusy()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  const save = async (): Promise<'done'> => {
    setFault(null)
    setFailure(null)
    const saving = await saveContact(name, toSave)
    switch (saving.kind) {
      case 'saved':
        onClose(true)
        return 'done'
      case 'nameless':
        setFault('Enter a name for this contact.')
        break
      case 'refused':
        setFault(saving.message)
        break
      case 'failed':
        setFailure(saving.message)
        break
      default:
        saving satisfies never
    }
    input.current?.focus()
    return 'done'
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    run(save)
  }

  return (
    <Dialog
      title="Save Contact"
      onClose={() => onClose(false)}
      footer={
        <FormFooter form={formId} label={slow ? 'Saving…' : 'Save contact'} onCancel={() => onClose(false)} />
      }
    >
      <p className="bignum num">{formatted}</p>
      {number.extension !== undefined && (
        <p className="soft">
          Then <span className="num">{number.extension}</span> after the answer
        </p>
      )}
      <form id={formId} noValidate onSubmit={submit}>
        <Field id={fieldId} label="Contact Name" fault={fault}>
          <input
            ref={input}
            className="input"
            id={fieldId}
            type="text"
            dir="auto"
            autoComplete="off"
            enterKeyHint="done"
            value={name}
            onChange={event => setName(event.target.value)}
            {...described(fieldId, undefined, fault)}
          />
        </Field>
      </form>
      <FormNote message={failure} />
    </Dialog>
  )
}
