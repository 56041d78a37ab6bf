import { type SubmitEvent, useState } from 'react'
import { minPasswordLength, password as passwordRule } from '#lib/account/account.ts'
import type { Profile } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { setPassword } from './profile.ts'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

const noFaults: Readonly<Record<'current' | 'next', string | null>> = { current: null, next: null }

function currentFault(secret: string): string | null {
  return secret === '' ? texts.enterCurrent : null
}

function aboutPassword({ hasPassword, google }: Profile): string {
  if (hasPassword) return texts.aboutPassword
  return google === null ? texts.noPassword : texts.googleOnly({ google })
}

export function Password({ profile }: { readonly profile: Profile }) {
  const [faults, setFaults] = useState(noFaults)
  const [outcome, setOutcome] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()
  const { hasPassword } = profile

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const current = textOf(form, 'current')
    const next = textOf(form, 'next')
    const found = {
      current: hasPassword ? currentFault(current) : null,
      next: faultOf(passwordRule, next),
    }
    setFaults(found)
    setOutcome(null)
    if (found.current ?? found.next) return focusFirstFault(form)
    if (formError.holds()) return formError.remind()
    run(async () => {
      formError.clear()
      const result = await setPassword(current, next)
      if (result.ok) {
        form.reset()
        setOutcome(texts.passwordSaved)
        return 'done'
      }
      if (result.code === 'wrong_password' && hasPassword) setFaults({ ...noFaults, current: result.message })
      else if (result.code === 'invalid_request') setFaults({ ...noFaults, next: result.message })
      else formError.showError(result)
      focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <Section id="profile-password" title={texts.password} about={aboutPassword(profile)}>
      <form className="grid2" method="post" noValidate onSubmit={submit}>
        {/* Tells password managers which account this is. */}
        <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
        {hasPassword && (
          <PasswordField
            id="password-current"
            name="current"
            label={texts.currentPassword}
            labelAside={<a href={localPath('/forgot-password')}>{texts.forgotIt}</a>}
            autoComplete="current-password"
            fault={faults.current}
            onCheck={secret => setFaults(now => ({ ...now, current: currentFault(secret) }))}
          />
        )}
        <PasswordField
          id="password-next"
          name="next"
          label={texts.newPassword}
          hint={texts.passwordHint({ min: minPasswordLength })}
          autoComplete="new-password"
          fault={faults.next}
          onCheck={secret => setFaults(now => ({ ...now, next: faultOf(passwordRule, secret) }))}
        />
        <div className={styles['whole']}>
          <FormNote
            message={formError.message}
            waitSeconds={formError.waitSeconds}
            reminder={formError.reminder}
          />
          <div className={styles['done']}>
            <SubmitButton
              className="btn"
              label={hasPassword ? texts.changePassword : texts.setPassword}
              slowLabel={texts.saving}
              slow={slow}
            />
            <Outcome message={outcome} />
          </div>
        </div>
      </form>
    </Section>
  )
}
