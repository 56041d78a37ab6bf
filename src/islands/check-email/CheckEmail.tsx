import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $sentMail, recallSentMail, resend, type SentMail, secondsUntilResend } from '#stores/registration.ts'
import { $localInbox, loadSite } from '#stores/site.ts'
import { FormNote } from '../field/FormNote.tsx'
import { ResendForm } from '../resend-form/ResendForm.tsx'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './check-email.module.css'

/** Seconds until the mail may be asked for again, counted down on the screen. */
function useCountdown(sent: SentMail): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const left = secondsUntilResend(sent, Math.max(nowMs, sent.atMs))
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setNowMs(Date.now()), 1000)
    return () => clearTimeout(timer)
  })
  return left
}

function SendAgain({ sent }: { readonly sent: SentMail }) {
  const left = useCountdown(sent)
  const { slow, run } = useBusy()
  const [message, setMessage] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)

  const sendAgain = () => {
    if (left > 0) return
    run(async () => {
      const result = await resend(sent.email)
      setMessage(result.ok ? 'Sent again. It can take a minute; look in the spam folder too.' : '')
      setRefusal(result.ok ? null : result.message)
      return 'done'
    })
  }

  return (
    <>
      <p role="status" className={message === '' ? 'sr' : ''}>
        {message}
      </p>
      <FormNote message={refusal} />
      <div className="go">
        <button
          type="button"
          className="btn num"
          aria-disabled={left > 0 || slow || undefined}
          onClick={sendAgain}
        >
          {slow ? 'Sending…' : left > 0 ? `Send it again in ${left} s` : 'Send it again'}
        </button>
        <LocalInboxLink />
      </div>
    </>
  )
}

/** On somebody's own machine no mail goes out: it lies in the local inbox. */
function LocalInboxLink() {
  const localInbox = useStore($localInbox, { ssr: 'initial' })
  useEffect(() => {
    void loadSite()
  }, [])
  if (!localInbox) return null
  return (
    <a className="btn primary" href="/dev/inbox">
      Open the local inbox
    </a>
  )
}

/** What stands under 'Check your e-mail': which address, and how to have the mail sent again. */
export function CheckEmail() {
  const sent = useStore($sentMail, { ssr: 'initial' })
  /** Whether the page came with an address; null until the tab's storage has been read. */
  const [cameWithAddress, setCameWithAddress] = useState<boolean | null>(null)
  useEffect(() => {
    recallSentMail()
    setCameWithAddress($sentMail.get() !== null)
  }, [])

  if (cameWithAddress && sent !== null) {
    return (
      <>
        <p>
          We sent a link to <b className={styles.address}>{sent.email}</b>. Open it and your free call is
          ready.
        </p>
        <SendAgain key={sent.email} sent={sent} />
      </>
    )
  }
  return (
    <>
      <p>We sent you a link. Open it and your free call is ready.</p>
      {cameWithAddress === false && (
        <>
          <p>No mail? Enter the address that you registered.</p>
          <ResendForm />
        </>
      )}
    </>
  )
}
