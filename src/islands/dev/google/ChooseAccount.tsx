import { type SubmitEvent, useState } from 'react'
import { emailAddress } from '#lib/account/account.ts'
import type { AuthorizationRequest } from '#lib/api/local-google.ts'
import { company } from '#lib/company.ts'
import { faultOf, focusFirstFault } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { Chips } from '../Chips.tsx'
import styles from './dev-google.module.css'
import { goBackAs } from './local-google.ts'

const people = ['anna@example.com', 'ben@example.com', 'chidi@example.com'] as const

export function ChooseAccount({ asked }: { readonly asked: AuthorizationRequest }) {
  const [email, setEmail] = useState('')
  const [emailVerified, setEmailVerified] = useState(true)
  const [fault, setFault] = useState<string | null>(null)
  const [formError, setFormError] = useState<string | null>(null)
  const { slow, run } = useBusy()

  const type = (value: string) => {
    setEmail(value)
    if (fault !== null) setFault(faultOf(emailAddress, value))
  }
  const answer = (account: { email: string; emailVerified: boolean } | null) =>
    run(async () => {
      const failed = await goBackAs(asked, account)
      setFormError(failed)
      return failed === null ? 'keep' : 'done'
    })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = faultOf(emailAddress, email)
    setFault(found)
    if (found !== null) return focusFirstFault(event.currentTarget)
    answer({ email: email.trim(), emailVerified })
  }

  return (
    <form className={`slip ${styles['form']}`} method="post" noValidate onSubmit={submit}>
      <p>
        to continue to <b>{company.name}</b>, which asks who you are and for your e-mail address
      </p>
      <Chips
        label="Be"
        name="person"
        choices={people.map(person => ({ value: person, label: person }))}
        chosen={people.find(person => person === email) ?? null}
        onChoose={type}
      />
      <Field id="google-email" label="Or any e-mail address" fault={fault}>
        <input
          className="input"
          id="google-email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          onChange={event => type(event.currentTarget.value)}
          {...described('google-email', undefined, fault)}
        />
      </Field>
      <label className={styles['verified']}>
        <input
          type="checkbox"
          checked={emailVerified}
          onChange={event => setEmailVerified(event.currentTarget.checked)}
        />
        The address is confirmed there
      </label>
      <FormNote message={formError} />
      <div className={styles['answers']}>
        <button type="button" className="btn" onClick={() => answer(null)}>
          Cancel
        </button>
        <SubmitButton label="Continue" slowLabel="Going back…" slow={slow} className="btn primary" />
      </div>
    </form>
  )
}
