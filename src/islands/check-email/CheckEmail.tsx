import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import {
  $sentMail,
  awaitConfirmation,
  recallSentMail,
  registerAnother,
  resend,
} from '#stores/registration.ts'
import type { SentMail } from '#stores/sent-mail.ts'
import { $localInbox, loadSite } from '#stores/site.ts'
import { $user, loadUser } from '#stores/user.ts'
import { readyThen } from '../email-verified/ready.ts'
import { ResendForm } from '../resend-form/ResendForm.tsx'
import { SendAgain } from '../resend-form/SendAgain.tsx'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './check-email.module.css'

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

/** Who mistyped the address begins anew: this one's mail goes to somebody else. */
function AnotherAddress() {
  const { run } = useBusy()
  const leave = () =>
    run(async () => {
      await registerAnother()
      return 'keep'
    })
  return (
    <button type="button" className={styles['another']} onClick={leave}>
      Use another address
    </button>
  )
}

/** What the link leads to. */
function Promised() {
  return `Open it and your ${readyThen(useStore($user, { ssr: 'initial' }))} is ready.`
}

function Sent({ sent }: { readonly sent: SentMail }) {
  return (
    <>
      <p>
        We sent a link to <b className={styles['address']}>{sent.email}</b>. <Promised />
      </p>
      <LocalInboxLink />
      <SendAgain key={sent.email} sent={sent} send={resend} />
      <p className={styles['hints']}>
        It can take a minute. Look in the spam folder too. Not your address? <AnotherAddress />
      </p>
    </>
  )
}

/** What stands under 'Check your e-mail': which address, and how to have the mail sent again. */
export function CheckEmail() {
  const sent = useStore($sentMail, { ssr: 'initial' })
  /** Whether a link that this page asked for itself is on its way: its form says so, and stays. */
  const [asksItself, setAsksItself] = useState<boolean | null>(null)
  useEffect(() => {
    recallSentMail()
    void loadUser()
    setAsksItself($sentMail.get() === null)
  }, [])
  useEffect(() => awaitConfirmation(() => setAsksItself(false)), [])

  if (asksItself === false && sent !== null) return <Sent sent={sent} />
  return (
    <>
      <p>
        We sent you a link. <Promised />
      </p>
      {asksItself && (
        <>
          <p>No mail? Enter the address that you registered.</p>
          <ResendForm />
        </>
      )}
    </>
  )
}
