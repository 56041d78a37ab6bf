import { useRef, useState } from 'react'
import type { Profile } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { googleStart } from '#shared/sign-up/google-start.ts'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import styles from './profile.module.css'
import { texts } from './texts.ts'
import { passwordFault } from './wording.ts'

/** Result of an action that requires proof of identity. This dialog handles `proof_needed` and `wrong_password`. */
export type ProvenResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly retryAfterMs?: number }

export interface ProofDialogProps {
  readonly profile: Profile
  readonly action: string
  readonly slowAction: string
  readonly onProve: (password: string) => Promise<ProvenResult>
  /** Called when it is done or cancelled. */
  readonly onClose: () => void
}

const fieldId = 'proof-password'

export function ProofDialog({ profile, action, slowAction, onProve, onClose }: ProofDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()

  const prove = () => {
    if (form.current === null) return
    const entered = form.current
    const secret = textOf(entered, 'password')
    const found = passwordFault(secret)
    setFault(found)
    if (found !== null) return focusFirstFault(entered)
    if (formError.holds()) return formError.remind()
    run(async () => {
      formError.clear()
      const result = await onProve(secret)
      if (result.ok) onClose()
      else if (result.code === 'wrong_password') setFault(result.message)
      else formError.showError(result)
      focusFirstFault(entered)
      return 'done'
    })
  }

  if (!profile.hasPassword) {
    return (
      <Dialog
        title={texts.proof}
        onClose={onClose}
        footer={
          <>
            <button type="button" className="btn" onClick={onClose}>
              {texts.cancel}
            </button>
            <a className="btn primary" href={googleStart({ again: '1', next: localPath('/profile') })}>
              {texts.googleAgain}
            </a>
          </>
        }
      >
        <p>
          {texts.askGoogle({
            password: label => (
              <a key="password" href={localPath('/forgot-password')}>
                {label}
              </a>
            ),
          })}
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={texts.proof}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="button" className="btn primary" onClick={prove}>
            {slow ? slowAction : action}
          </button>
        </>
      }
    >
      <p>{texts.askPassword}</p>
      <form
        ref={form}
        className={styles['confirm']}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          prove()
        }}
      >
        <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
        <PasswordField
          id={fieldId}
          label={texts.yourPassword}
          autoComplete="current-password"
          fault={fault}
          onCheck={secret => setFault(passwordFault(secret))}
        />
        <FormNote
          message={formError.message}
          waitSeconds={formError.waitSeconds}
          reminder={formError.reminder}
        />
      </form>
    </Dialog>
  )
}
