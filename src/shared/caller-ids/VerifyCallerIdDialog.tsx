import { useStore } from '@nanostores/react'
import { Clock, PhoneOutgoing } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormFooter } from '#ui/FormFooter.tsx'
import { useLate } from '#ui/use-late.ts'
import { $formatNumber } from '../numbers/number-format.ts'
import styles from './caller-ids.module.css'
import { failureTexts, texts } from './texts.ts'
import { againText, attemptsText, type VerificationFailure } from './verification-wording.ts'
import { $attempts, $verification, closeVerification, submitNumber } from './verify-caller-id.ts'

const formId = 'verify-caller-id'
const fieldId = 'caller-id-number'

export function VerifyCallerIdDialog() {
  const verification = useStore($verification)
  return verification.state === 'closed' ? null : <OpenDialog verification={verification} />
}

type OpenVerification = Exclude<ReturnType<typeof $verification.get>, { state: 'closed' }>

function OpenDialog({ verification }: { readonly verification: OpenVerification }) {
  const [typed, setTyped] = useState('')
  const sending = verification.state === 'entering' && verification.sending
  const slow = useLate(sending)
  return (
    <Dialog
      title={texts.verify}
      onClose={closeVerification}
      footer={
        verification.state === 'waiting' ? (
          <CloseForNow />
        ) : (
          <FormFooter form={formId} label={buttonLabel(verification, slow)} onCancel={closeVerification} />
        )
      }
    >
      {/* One region for all steps, so that each is announced. */}
      <div className={styles.step} role="status">
        {verification.state === 'waiting' ? (
          <Code {...verification} />
        ) : (
          <Offer failure={verification.failure} />
        )}
      </div>
      {verification.state === 'entering' && (
        <Entry typed={typed} onType={setTyped} fault={verification.fault} busy={sending} />
      )}
    </Dialog>
  )
}

function buttonLabel(verification: OpenVerification, slow: boolean): string {
  if (slow) return texts.starting
  return verification.state === 'entering' && verification.failure !== null
    ? texts.callAgain
    : texts.verifyNumber
}

/** What a call does, or how the last one went, and how many are left. */
function Offer({ failure }: { readonly failure: VerificationFailure | null }) {
  const attempts = useStore($attempts)
  return (
    <>
      <p>
        {failure === null ? texts.offer : failureTexts[failure]}{' '}
        {attempts !== null && failure !== null && againText(attempts)}
      </p>
      {attempts !== null && <p className="soft small">{attemptsText(attempts)}</p>}
    </>
  )
}

interface EntryProps {
  readonly typed: string
  readonly onType: (text: string) => void
  readonly fault: string | null
  readonly busy: boolean
}

function Entry({ typed, onType, fault, busy }: EntryProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (fault !== null || !busy) input.current?.focus()
  }, [fault, busy])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void submitNumber(typed)
  }
  return (
    <form id={formId} noValidate onSubmit={submit}>
      <Field id={fieldId} label={texts.number} fault={fault && <Fault text={fault} />}>
        <input
          ref={input}
          className="input num"
          dir="ltr"
          id={fieldId}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="go"
          value={typed}
          onChange={event => onType(event.target.value)}
          {...described(fieldId, undefined, fault)}
        />
      </Field>
    </form>
  )
}

/** A message in which `contactSupport` leads to the form, filled in with it. It stands after the hash: no server needs it. */
function Fault({ text }: { readonly text: string }) {
  const [before, after] = text.split(texts.contactSupport)
  if (after === undefined) return text
  return (
    <span>
      {before}
      <a href={localPath(`/support#${new URLSearchParams({ about: 'own_number', happened: text })}`)}>
        {texts.contactSupport}
      </a>
      {after}
    </span>
  )
}

/** Takes the focus when the form is gone. The phone keeps ringing. */
function CloseForNow() {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <button ref={button} type="button" className="btn" onClick={closeVerification}>
      {texts.close}
    </button>
  )
}

type Waiting = Extract<OpenVerification, { state: 'waiting' }>

function Code({ number, code, progress }: Waiting) {
  const { format } = useStore($formatNumber)
  const half = Math.ceil(code.length / 2)
  return (
    <>
      {progress === 'calling' && <p>{texts.started}</p>}
      {progress === 'answered' && <p>{texts.answered}</p>}
      {progress === 'wrong_code' && <p>{texts.wrongCode}</p>}
      <p className="code num" dir="ltr">
        {code.slice(0, half)} {code.slice(half)}
      </p>
      <p className="tick soft small">
        {progress === 'calling' ? (
          <>
            <PhoneOutgoing className="i" aria-hidden="true" />
            <span>
              {texts.calling({
                full: format(number, ''),
                number: full => (
                  <span key="number" className="num" dir="ltr">
                    {full}
                  </span>
                ),
              })}
            </span>
          </>
        ) : (
          <>
            <Clock className="i" aria-hidden="true" />
            {texts.waiting}
          </>
        )}
      </p>
    </>
  )
}
