import { type SubmitEvent, useRef, useState } from 'react'
import { emailAddress, personName } from '#lib/account/account.ts'
import type { Profile } from '#lib/api/profile.ts'
import { faultOf, focusFirstFault, textOf } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { EmailState, emailStateId } from './EmailState.tsx'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { askEmailChange, saveName } from './profile.ts'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'
import { passwordFault } from './wording.ts'

interface Faults {
  readonly name: string | null
  readonly email: string | null
  readonly password: string | null
}

const noFaults: Faults = { name: null, email: null, password: null }
const nameId = 'profile-name'
const emailId = 'profile-email'

/** Name and e-mail address. A change of address also requires the password. */
export function Details({ profile }: { readonly profile: Profile }) {
  /** Input being typed; null while the saved value is shown. */
  const [typedName, setTypedName] = useState<string | null>(null)
  const [typedEmail, setTypedEmail] = useState<string | null>(null)
  const [faults, setFaults] = useState(noFaults)
  const [outcome, setOutcome] = useState<string | null>(null)
  const formError = useFormError()
  const addressState = useRef<HTMLDivElement>(null)
  const { slow, run } = useBusy()
  const name = typedName ?? profile.name ?? ''
  const email = typedEmail ?? profile.email
  const otherName = name.trim() !== (profile.name ?? '')
  const otherEmail = email.trim().toLowerCase() !== profile.email
  const asksPassword = otherEmail && profile.hasPassword

  /** @returns a confirmation; null when it failed */
  const keepName = async (): Promise<string | null> => {
    const result = await saveName(name)
    if (!result.ok) {
      if (result.code === 'invalid_request') setFaults({ ...noFaults, name: result.message })
      else formError.showError(result)
      return null
    }
    // Keep what was typed while the request was pending.
    setTypedName(now => (now === name ? null : now))
    return texts.saved
  }
  const changeAddress = async (secret: string): Promise<string | null> => {
    const result = await askEmailChange(email.trim(), secret)
    if (!result.ok) {
      if (result.code === 'wrong_password' && profile.hasPassword)
        setFaults({ ...noFaults, password: result.message })
      else if (result.code === 'invalid_request') setFaults({ ...noFaults, email: result.message })
      else formError.showError(result)
      return null
    }
    setTypedEmail(now => (now === email ? null : now))
    return texts.linkSent
  }

  const showCancelled = () => {
    setOutcome(texts.changeCancelled)
    keepFocus(addressState)
  }

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const secret = asksPassword ? textOf(form, 'password') : ''
    const found = {
      name: faultOf(personName, name),
      email: otherEmail ? faultOf(emailAddress, email) : null,
      password: asksPassword ? passwordFault(secret) : null,
    }
    setFaults(found)
    setOutcome(null)
    if (found.name ?? found.email ?? found.password) return focusFirstFault(form)
    run(async () => {
      formError.clear()
      const named = otherName ? await keepName() : texts.nothingChanged
      const done = named !== null && otherEmail ? await changeAddress(secret) : named
      // The name may have been saved although the address was rejected.
      setOutcome(done ?? (named !== null && otherName ? texts.nameSaved : null))
      if (done === null) focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <Section id="profile-details" title={texts.details} about={texts.aboutDetails}>
      <form className="grid2" method="post" noValidate onSubmit={submit}>
        <Field id={nameId} label={texts.name} fault={faults.name}>
          <input
            className="input"
            dir="auto"
            id={nameId}
            name="name"
            type="text"
            autoComplete="name"
            value={name}
            onChange={event => {
              setTypedName(event.target.value)
              setOutcome(null)
              if (faults.name !== null)
                setFaults({ ...faults, name: faultOf(personName, event.target.value) })
            }}
            {...described(nameId, undefined, faults.name)}
          />
        </Field>
        <Field id={emailId} label={texts.email} fault={faults.email}>
          <input
            className="input"
            dir="ltr"
            id={emailId}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={email}
            onBlur={() => otherEmail && setFaults(now => ({ ...now, email: faultOf(emailAddress, email) }))}
            onChange={event => {
              setTypedEmail(event.target.value)
              setOutcome(null)
              if (faults.email !== null)
                setFaults({ ...faults, email: faultOf(emailAddress, event.target.value) })
            }}
            {...described(emailId, undefined, faults.email)}
            {...(faults.email === null ? { 'aria-describedby': emailStateId } : {})}
          />
          {faults.email === null && (
            <div ref={addressState} tabIndex={-1} className={`${styles['region']} ${styles['state']}`}>
              <EmailState profile={profile} changing={otherEmail} onCancelled={showCancelled} />
            </div>
          )}
        </Field>
        {asksPassword && (
          <div className={styles['beneath']}>
            <PasswordField
              id="profile-email-password"
              label={texts.yourPassword}
              hint={texts.toBeSure}
              autoComplete="current-password"
              fault={faults.password}
              onCheck={secret => setFaults(now => ({ ...now, password: passwordFault(secret) }))}
            />
          </div>
        )}
        <div className={styles['whole']}>
          <FormNote message={formError.message} waitSeconds={formError.waitSeconds} />
          <div className={styles['done']}>
            <SubmitButton
              className="btn primary"
              label={texts.saveDetails}
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
