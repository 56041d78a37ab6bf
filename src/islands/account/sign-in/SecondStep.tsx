import { KeyRound } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import styles from './login-form.module.css'
import { askSecondStep, logInWithCode, logInWithSecondPasskey } from './second-step.ts'

interface Ways {
  readonly passkey: boolean
  readonly authenticator: boolean
  readonly recoveryCodes: boolean
}

const codeId = 'login-code'

function codeFault(code: string): string | null {
  return code.trim() === '' ? 'Enter a code.' : null
}

/** The second factor: a passkey, an authenticator's code or a recovery code. */
export function SecondStep({ onBack }: { readonly onBack: () => void }) {
  const [ways, setWays] = useState<Ways | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const formError = useFormError()
  const { showError: refuse } = formError
  const passkey = useBusy()
  const code = useBusy()

  // The form, which had the focus, is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    void askSecondStep().then(result => {
      if (result.ok) setWays({ ...result.value, passkey: result.value.passkey !== null })
      else refuse(result)
    })
  }, [refuse])

  const usePasskey = async (): Promise<'keep' | 'done'> => {
    formError.clear()
    setFault(null)
    const result = await logInWithSecondPasskey()
    if (result.ok) return 'keep'
    formError.showError(result)
    return 'done'
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = textOf(form, 'code')
    const found = codeFault(typed)
    setFault(found)
    if (found !== null) return focusFirstFault(form)
    if (formError.holds()) return formError.remind()
    code.run(async () => {
      formError.clear()
      const result = await logInWithCode(typed)
      if (result.ok) return 'keep'
      if (result.code === 'wrong_code') {
        setFault(result.message)
        focusFirstFault(form)
      } else formError.showError(result)
      return 'done'
    })
  }

  const codes = ways !== null && (ways.authenticator || ways.recoveryCodes)
  const hint = hintOf(ways)
  return (
    <form method="post" noValidate onSubmit={submit}>
      <h1 ref={heading} tabIndex={-1}>
        One more step
      </h1>
      <p className="soft">Confirm it's you with your second factor.</p>
      {ways?.passkey === true && (
        <>
          <button type="button" className="btn wide" onClick={() => passkey.run(usePasskey)}>
            <KeyRound className="i" aria-hidden="true" />
            {passkey.slow ? 'Waiting for your passkey…' : 'Use your passkey'}
          </button>
          {codes && <p className="or">or with a code</p>}
        </>
      )}
      {codes && (
        <Field id={codeId} label={ways.authenticator ? 'Code' : 'Recovery code'} hint={hint} fault={fault}>
          <input
            className="input num"
            id={codeId}
            name="code"
            type="text"
            inputMode={ways.recoveryCodes ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            onChange={event => fault !== null && setFault(codeFault(event.currentTarget.value))}
            {...described(codeId, hint, fault)}
          />
        </Field>
      )}
      <FormNote
        message={formError.message}
        waitSeconds={formError.waitSeconds}
        reminder={formError.reminder}
      />
      {codes && <SubmitButton label="Log in" slowLabel="Logging in…" slow={code.slow} />}
      <p className={`small ${styles['forgot']}`}>
        <button type="button" className="btn plain" onClick={onBack}>
          Start again
        </button>
      </p>
      <p className="soft small">
        Lost your device and your codes? <a href="/support">Write to us</a>. When we're sure it's you, we'll
        remove them.
      </p>
    </form>
  )
}

function hintOf(ways: Ways | null): string | undefined {
  if (ways?.authenticator === true)
    return ways.recoveryCodes
      ? 'Six digits from your authenticator app, or one of your recovery codes'
      : 'Six digits from your authenticator app'
  return 'One of the ten you saved. Each works once'
}
