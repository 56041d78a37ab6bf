import { KeyRound } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import styles from './login-form.module.css'
import { askSecondStep, logInWithCode, logInWithSecondPasskey } from './second-step.ts'
import { texts } from './second-step-texts.ts'

interface Ways {
  readonly passkey: boolean
  readonly authenticator: boolean
  readonly recoveryCodes: boolean
}

const codeId = 'login-code'

function codeFault(code: string): string | null {
  return code.trim() === '' ? texts.noCode : null
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
        {texts.title}
      </h1>
      <p className="soft">{texts.text}</p>
      {ways?.passkey === true && (
        <>
          <button type="button" className="btn wide" onClick={() => passkey.run(usePasskey)}>
            <KeyRound className="i" aria-hidden="true" />
            {passkey.slow ? texts.waiting : texts.passkey}
          </button>
          {codes && <p className="or">{texts.orCode}</p>}
        </>
      )}
      {codes && (
        <Field
          id={codeId}
          label={ways.authenticator ? texts.code : texts.recoveryCode}
          hint={hint}
          fault={fault}
        >
          <input
            className="input num"
            id={codeId}
            name="code"
            type="text"
            dir="ltr"
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
      {codes && <SubmitButton label={texts.login} slowLabel={texts.loggingIn} slow={code.slow} />}
      <p className={`small ${styles['forgot']}`}>
        <button type="button" className="btn plain" onClick={onBack}>
          {texts.startAgain}
        </button>
      </p>
      <p className="soft small">
        {texts.lost({
          support: label => (
            <a key="support" href={localPath('/support')}>
              {label}
            </a>
          ),
        })}
      </p>
    </form>
  )
}

function hintOf(ways: Ways | null): string | undefined {
  if (ways?.authenticator === true) return ways.recoveryCodes ? texts.eitherHint : texts.appHint
  return texts.recoveryHint
}
