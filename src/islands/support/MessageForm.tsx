import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { company } from '#lib/company.ts'
import { supportTopic, topicNames } from '#lib/support.ts'
import { supportTopics } from '#lib/support-texts.ts'
import { focusFirstFault, textOf } from '#ui/check.ts'
import { EmailField } from '#ui/EmailField.tsx'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import type { Asked } from './answers.ts'
import { type Faults, faultIn, faultsFrom, faultsIn, type MessageField, noFaults } from './faults.ts'
import { ownAddress, subjectOf } from './prefill.ts'
import type { SentMessage } from './Sent.tsx'
import { sendToSupport } from './support.ts'
import { support } from './texts.ts'

export interface MessageFormProps {
  /** Called on every change to the topic or the message. */
  readonly onWriting: (asked: Asked) => void
  readonly onLeaving: () => void
  readonly onSent: (sent: SentMessage) => void
  readonly children: ReactNode
}

function askedIn(form: HTMLFormElement): Asked {
  const topic = supportTopic.safeParse(textOf(form, 'about'))
  return { topic: topic.success ? topic.data : null, message: textOf(form, 'message') }
}

/** Fills in what is known: who writes and what about. Never overwrites what the writer has typed. */
async function prefill(form: HTMLFormElement): Promise<void> {
  const { email, about, message } = form.elements as unknown as Readonly<
    Record<'email' | 'about' | 'message', HTMLInputElement | HTMLSelectElement>
  >
  const subject = subjectOf(new URL(window.location.href))
  if (subject !== null && about.value === '') about.value = subject.topic
  const first = `${subject?.line}\n`
  if (subject !== null && message.value === '') message.value = first
  const address = await ownAddress()
  if (address !== null && email.value === '') email.value = address
  const line = await subject?.complete()
  if (line && message.value === first) message.value = `${line}\n`
}

/** The message form. Fields are uncontrolled, so that text typed before hydration, or in a failed attempt, stays. */
export function MessageForm({ onWriting, onLeaving, onSent, children }: MessageFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults>(noFaults)
  const [failure, setFailure] = useState<{ readonly message: string; readonly mailto: string } | null>(null)
  const { slow, run } = useBusy()

  useEffect(() => {
    const form = element.current
    if (form === null) return
    void prefill(form)
    onWriting(askedIn(form))
  }, [onWriting])

  const check = (field: MessageField, value: string) =>
    setFaults(now => ({ ...now, [field]: faultIn(field, value) }))
  const recheck = (field: MessageField, value: string) => faults[field] !== null && check(field, value)
  const write = (form: HTMLFormElement | null) => form && onWriting(askedIn(form))

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const [mailto, found] = faultsIn(form)
    setFaults(found)
    setFailure(null)
    if (mailto === null) return focusFirstFault(form)
    run(async () => {
      const result = await sendToSupport(mailto)
      if (result.ok) {
        onSent({ email: mailto.email, reference: result.value.reference })
        return 'done'
      }
      const refused = faultsFrom(result.body)
      setFaults(refused ?? noFaults)
      if (refused === null) setFailure({ message: result.message, mailto: mailto.message })
      else focusFirstFault(form)
      return 'done'
    })
  }

  return (
    <form ref={element} className="letterform" method="post" noValidate onSubmit={submit}>
      <div className="grid2">
        <Field id="support-name" label={support.name} fault={faults.name}>
          <input
            className="input"
            id="support-name"
            name="name"
            autoComplete="name"
            required
            onChange={event => recheck('name', event.currentTarget.value)}
            {...described('support-name', undefined, faults.name)}
          />
        </Field>
        <EmailField id="support-email" fault={faults.email} onCheck={value => check('email', value)} />
      </div>
      <Field id="support-about" label={support.about} fault={faults.about}>
        <select
          className="input"
          id="support-about"
          name="about"
          required
          defaultValue=""
          onChange={event => {
            recheck('about', event.currentTarget.value)
            write(event.currentTarget.form)
          }}
          {...described('support-about', undefined, faults.about)}
        >
          <option value="">{support.chooseOne}</option>
          {topicNames.map(topic => (
            <option key={topic} value={topic}>
              {supportTopics[topic]}
            </option>
          ))}
        </select>
      </Field>
      <Field id="support-message" label={support.message} hint={support.messageHint} fault={faults.message}>
        <textarea
          className="input ruled"
          id="support-message"
          name="message"
          rows={6}
          required
          onBlur={onLeaving}
          onChange={event => {
            recheck('message', event.currentTarget.value)
            write(event.currentTarget.form)
          }}
          {...described('support-message', support.messageHint, faults.message)}
        />
      </Field>
      {children}
      <FormNote message={failure?.message ?? null} />
      {failure !== null && <MailInstead mailto={failure.mailto} />}
      <SubmitButton
        label={support.send}
        slowLabel={support.sending}
        slow={slow}
        className="btn primary big"
      />
    </form>
  )
}

/** Some mail programs, above all on Windows, truncate longer links. */
const longestLink = 1800

/** A fallback that does not use our server: the same message in the visitor's mail program. */
function MailInstead({ mailto }: { readonly mailto: string }) {
  const link = `mailto:${company.supportEmail}?body=${encodeURIComponent(mailto)}`
  if (link.length <= longestLink) {
    return (
      <p>
        {support.sendYourself({
          mail: text => (
            <a key="mail" href={link}>
              {text}
            </a>
          ),
        })}
      </p>
    )
  }
  return (
    <p>
      {support.copy({
        address: company.supportEmail,
        mail: text => (
          <a key="mail" href={`mailto:${company.supportEmail}`}>
            {text}
          </a>
        ),
      })}
    </p>
  )
}
