import { type SubmitEvent, useState } from 'react'
import { minPasswordLength, password as passwordRule } from '#lib/account/account.ts'
import type { Profile } from '#lib/api/profile.ts'
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

const noFaults: Readonly<Record<'current' | 'next', string | null>> = { current: null, next: null }

function currentFault(secret: string): string | null {
  return secret === '' ? 'Enter your current password.' : null
}

function aboutPassword({ hasPassword, google }: Profile): string {
  if (hasPassword) return 'Changing it logs out every other device.'
  return google === null
    ? "You don't have one yet."
    : `You log in with Google as ${google}. Set a password to log in without it.`
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
        setOutcome('Saved. Every other device is logged out.')
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
    <Section id="profile-password" title="Password" about={aboutPassword(profile)}>
      <form className="grid2" method="post" noValidate onSubmit={submit}>
        {/* Tells password managers which account this is. */}
        <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
        {hasPassword && (
          <PasswordField
            id="password-current"
            name="current"
            label="Current password"
            labelAside={<a href="/forgot-password">Forgot it?</a>}
            autoComplete="current-password"
            fault={faults.current}
            onCheck={secret => setFaults(now => ({ ...now, current: currentFault(secret) }))}
          />
        )}
        <PasswordField
          id="password-next"
          name="next"
          label="New password"
          hint={`At least ${minPasswordLength} characters`}
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
              label={hasPassword ? 'Change password' : 'Set password'}
              slowLabel="Saving…"
              slow={slow}
            />
            <Outcome message={outcome} />
          </div>
        </div>
      </form>
    </Section>
  )
}
