import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormFooter } from '#ui/FormFooter.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { type NewNumber, saveContact } from '../contacts.ts'
import { texts } from './save-contact-texts.ts'

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
        setFault(texts.nameless)
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
      title={texts.title}
      onClose={() => onClose(false)}
      footer={
        <FormFooter form={formId} label={slow ? texts.saving : texts.save} onCancel={() => onClose(false)} />
      }
    >
      <p className="bignum num">
        <bdi dir="ltr">{formatted}</bdi>
      </p>
      {number.extension !== undefined && (
        <p className="soft">
          {texts.extension({
            extension: number.extension,
            keys: extension => (
              <span key="keys" className="num">
                {extension}
              </span>
            ),
          })}
        </p>
      )}
      <form id={formId} noValidate onSubmit={submit}>
        <Field id={fieldId} label={texts.name} fault={fault}>
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
