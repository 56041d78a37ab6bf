import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $localInbox, loadSite } from '#session/site.ts'
import { $user, loadUser } from '#session/user.ts'
import { resendConfirmation } from '#shared/sign-up/register.ts'
import type { SentMail } from '#shared/sign-up/sent-mail.ts'
import { useBusy } from '#ui/use-busy.ts'
import styles from './check-email.module.css'
import { texts } from './check-email-texts.ts'
import { MailAddress } from './MailAddress.tsx'
import { ResendForm } from './ResendForm.tsx'
import { readyThen } from './ready.ts'
import { $sentMail, awaitConfirmation, recallSentMail, registerAnother } from './registration.ts'
import { SendAgain } from './SendAgain.tsx'

/** In development no mail is sent: it is in the local inbox. */
function LocalInboxLink() {
  const localInbox = useStore($localInbox, { ssr: 'initial' })
  useEffect(() => {
    void loadSite()
  }, [])
  if (!localInbox) return null
  return (
    <a className="btn primary" href="/dev/inbox">
      {texts.openInbox}
    </a>
  )
}

/** Starts again after a mistyped address, because the mail goes to somebody else. */
function AnotherAddress() {
  const { run } = useBusy()
  const leave = () =>
    run(async () => {
      await registerAnother()
      return 'keep'
    })
  return (
    <button type="button" className={styles['another']} onClick={leave}>
      {texts.another}
    </button>
  )
}

function Promised() {
  return texts.open({ ready: readyThen(useStore($user, { ssr: 'initial' })) })
}

function Sent({ sent }: { readonly sent: SentMail }) {
  return (
    <>
      <p>
        {texts.sentTo({
          address: end => <MailAddress key="address" email={sent.email} end={end} />,
        })}{' '}
        <Promised />
      </p>
      <LocalInboxLink />
      <SendAgain key={sent.email} sent={sent} send={resendConfirmation} />
      <p className={styles['hints']}>{texts.hints({ another: () => <AnotherAddress key="another" /> })}</p>
    </>
  )
}

export function CheckEmail() {
  const sent = useStore($sentMail, { ssr: 'initial' })
  /** True while this page itself requests a new link: its form then stays and shows the progress. */
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
        {texts.sent} <Promised />
      </p>
      {asksItself && (
        <>
          <p>{texts.noEmail}</p>
          <ResendForm />
        </>
      )}
    </>
  )
}
