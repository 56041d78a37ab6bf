import { type SubmitEvent, useId, useState } from 'react'
import type { Reply } from '#lib/api/endpoint.ts'
import type { startAuthenticator } from '#lib/api/second-factor.ts'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import styles from './security.module.css'
import { finishAuthenticator } from './security.ts'

export type SetUp = Reply<typeof startAuthenticator>

export interface AuthenticatorDialogProps {
  readonly setUp: SetUp
  readonly onDone: () => void
  readonly onClose: () => void
}

const fieldId = 'authenticator-code'
const hint = 'The six digits the app shows now'

function codeFault(code: string): string | null {
  return /^\d{6}$/.test(code.replace(/\s/g, '')) ? null : 'Enter the six digits.'
}

export function AuthenticatorDialog({ setUp, onDone, onClose }: AuthenticatorDialogProps) {
  const formId = useId()
  const [fault, setFault] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()
  const { secret, uri, qr } = setUp
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const code = textOf(form, 'code')
    const found = codeFault(code)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    run(async () => {
      formError.clear()
      const result = await finishAuthenticator(code)
      if (result.ok) onDone()
      else if (result.code === 'wrong_code') {
        setFault(result.message)
        focusFirstFault(form)
      } else formError.showError(result)
      return 'done'
    })
  }
  return (
    <Dialog
      title="Add an authenticator app"
      tall
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn primary" form={formId}>
            {slow ? 'Checking…' : 'Add app'}
          </button>
        </>
      }
    >
      <p>
        Scan this with the app, or <a href={uri}>open it on this device</a>.
      </p>
      <svg
        className={styles['qr']}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label="QR code for your authenticator app. The key below it is the same."
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <p className="small">
        Or type this key: <code className={styles['secret']}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <form id={formId} className={styles['form']} noValidate onSubmit={submit}>
        <Field id={fieldId} label="Code" hint={hint} fault={fault}>
          <input
            className="input num"
            id={fieldId}
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            onChange={event => fault !== null && setFault(codeFault(event.currentTarget.value))}
            {...described(fieldId, hint, fault)}
          />
        </Field>
        <FormNote message={formError.message} waitSeconds={formError.waitSeconds} />
      </form>
    </Dialog>
  )
}
