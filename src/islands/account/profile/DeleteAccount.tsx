import { Info } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Profile } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { refundDays } from '#lib/money/refunds.ts'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { deleteAccount } from './account-deletion.ts'
import { deletion } from './deletion-texts.ts'
import { LeftBooklets } from './LeftBooklets.tsx'
import styles from './profile.module.css'
import { openProfile } from './profile.ts'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'
import { passwordFault } from './wording.ts'

export function DeleteAccount({ profile }: { readonly profile: Profile }) {
  const [asking, setAsking] = useState(false)
  const open = () => {
    setAsking(true)
    // Reload, because the dialog shows the balance that will be lost.
    void openProfile()
  }
  return (
    <Section id="profile-delete" title={deletion.title} about={deletion.about}>
      <button type="button" className="btn danger" aria-haspopup="dialog" onClick={open}>
        {deletion.title}
      </button>
      {asking && <DeleteDialog profile={profile} onClose={() => setAsking(false)} />}
    </Section>
  )
}

export interface DeleteDialogProps {
  readonly profile: Profile
  readonly onClose: () => void
}

const noFaults: Readonly<Record<'email' | 'password', string | null>> = { email: null, password: null }
const emailId = 'delete-email'

/** Enter in a field does not submit: an irreversible action requires its own button. */
export function DeleteDialog({ profile, onClose }: DeleteDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState(noFaults)
  const formError = useFormError()
  /** True from the press on. A deletion cannot be cancelled, so the dialog offers no way out. */
  const [working, setWorking] = useState(false)
  const { slow, run } = useBusy()
  const emailFault = (typed: string) =>
    typed.trim().toLowerCase() === profile.email ? null : deletion.wrongEmail

  const remove = () => {
    if (form.current === null) return
    const entered = form.current
    const confirm = textOf(entered, 'confirm')
    const secret = textOf(entered, 'password')
    const found = {
      email: emailFault(confirm),
      password: profile.hasPassword ? passwordFault(secret) : null,
    }
    setFaults(found)
    if (found.email ?? found.password) return focusFirstFault(entered)
    if (formError.holds()) return formError.remind()
    run(async () => {
      setWorking(true)
      formError.clear()
      const result = await deleteAccount(confirm.trim(), secret)
      if (result.ok) return 'keep'
      setWorking(false)
      if (result.code === 'wrong_confirmation') setFaults({ ...noFaults, email: result.message })
      else if (result.code === 'wrong_password' && profile.hasPassword)
        setFaults({ ...noFaults, password: result.message })
      else formError.showError(result)
      focusFirstFault(entered)
      return 'done'
    })
  }

  return (
    <Dialog
      title={deletion.ask}
      locked={working}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" disabled={working} onClick={onClose}>
            {deletion.keep}
          </button>
          <button type="button" className="btn danger" onClick={remove}>
            {slow ? deletion.deleting : deletion.confirm}
          </button>
        </>
      }
    >
      <Loss credits={profile.credits} held={profile.heldCredits} />
      <LeftBooklets booklets={profile.booklets} />
      <form ref={form} className={styles['confirm']} noValidate onSubmit={event => event.preventDefault()}>
        <Field id={emailId} label={deletion.email} hint={profile.email} fault={faults.email}>
          <input
            className="input"
            dir="ltr"
            id={emailId}
            name="confirm"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            onChange={event =>
              faults.email !== null && setFaults({ ...faults, email: emailFault(event.currentTarget.value) })
            }
            {...described(emailId, profile.email, faults.email)}
          />
        </Field>
        {profile.hasPassword && (
          <PasswordField
            id="delete-password"
            label={texts.yourPassword}
            autoComplete="current-password"
            fault={faults.password}
            onCheck={secret => setFaults(now => ({ ...now, password: passwordFault(secret) }))}
          />
        )}
        <FormNote
          message={formError.message}
          waitSeconds={formError.waitSeconds}
          reminder={formError.reminder}
        />
      </form>
      <p className="sr" role="status">
        {slow && deletion.deletingAccount}
      </p>
    </Dialog>
  )
}

/** What is lost with the account, in US dollars: the balance, and amounts held for review. */
function Loss({ credits, held }: { readonly credits: number; readonly held: number }) {
  if (credits + held === 0) return <p>{deletion.loss}</p>
  const loss = held > 0 ? deletion.heldLoss : deletion.creditsLoss
  return (
    <>
      <p>
        {loss({
          sum: formatBalance(usdToMicroUsd(credits + held)),
          amount: sum => (
            <b key="amount" className="num">
              {sum}
            </b>
          ),
        })}
      </p>
      <p className="note">
        <Info className="i" aria-hidden="true" />
        <span>
          {deletion.refund({
            days: refundDays,
            refund: label => (
              <a key="refund" href={localPath('/billing-history')}>
                {label}
              </a>
            ),
            how: label => (
              <a key="how" href={localPath('/refunds')}>
                {label}
              </a>
            ),
          })}
        </span>
      </p>
    </>
  )
}
