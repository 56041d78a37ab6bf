import { type SubmitEvent, useId, useState } from 'react'
import type { Reply } from '#lib/api/endpoint.ts'
import type { startAuthenticator } from '#lib/api/second-factor.ts'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { texts as profile } from '../texts.ts'
import styles from './security.module.css'
import { finishAuthenticator } from './security.ts'
import { texts } from './texts.ts'

export type SetUp = Reply<typeof startAuthenticator>

export interface AuthenticatorDialogProps {
  readonly setUp: SetUp
  readonly onDone: () => void
  readonly onClose: () => void
}

const fieldId = 'authenticator-code'

function codeFault(code: string): string | null {
  return /^\p{Nd}{6}$/u.test(code.replace(/\s/g, '')) ? null : texts.codeFault
}

export function AuthenticatorDialog({ setUp, onDone, onClose }: AuthenticatorDialogProps) {
  const formId = useId()
  const [fault, setFault] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()
  const { secret, uri, qr } = setUp
  const key = secret.match(/.{1,4}/g)?.join(' ') ?? ''
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
      title={texts.addAnApp}
      tall
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {profile.cancel}
          </button>
          <button type="submit" className="btn primary" form={formId}>
            {slow ? texts.checking : texts.addApp}
          </button>
        </>
      }
    >
      <p>
        {texts.scan({
          open: label => (
            <a key="open" href={uri}>
              {label}
            </a>
          ),
        })}
      </p>
      <svg
        className={styles['qr']}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label={texts.qr}
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <p className="small">
        {texts.typeKey({
          // Not the message's text, whose direction marks would be copied with the key.
          secret: key,
          key: () => (
            <code key="key" className={styles['secret']} dir="ltr">
              {key}
            </code>
          ),
        })}
      </p>
      <form id={formId} className={styles['form']} noValidate onSubmit={submit}>
        <Field id={fieldId} label={texts.code} hint={texts.codeHint} fault={fault}>
          <input
            className="input num"
            dir="ltr"
            id={fieldId}
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            onChange={event => fault !== null && setFault(codeFault(event.currentTarget.value))}
            {...described(fieldId, texts.codeHint, fault)}
          />
        </Field>
        <FormNote message={formError.message} waitSeconds={formError.waitSeconds} />
      </form>
    </Dialog>
  )
}
