import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { resetLinkMinutes } from '#lib/account/account.ts'
import { Frank } from '#ui/Frank.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { Waves } from '#ui/Waves.tsx'
import { EnvelopeMark, VerifyingMark } from '../registration/VerificationMarks.tsx'
import { AskForLink } from './AskForLink.tsx'
import { LinkSent } from './LinkSent.tsx'
import { ResetForm } from './ResetForm.tsx'
import styles from './reset-password.module.css'
import { $resetLink, $resetMail, openResetLink, type ResetLink } from './reset-password.ts'
import { texts } from './texts.ts'

function LateMark() {
  return (
    <svg className={`postmark mark ${styles['late']}`} viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="38" />
      <path d="M50 30v22l14 8" strokeWidth="3.5" strokeLinejoin="round" />
    </svg>
  )
}

interface InsteadProps {
  readonly link: Exclude<ResetLink, { state: 'open' }>
  readonly onRetry: () => void
}

/** The state of the link, when no password can be chosen (yet). */
function Instead({ link, onRetry }: InsteadProps) {
  switch (link.state) {
    case 'checking':
      return (
        <>
          <VerifyingMark />
          <h1>{texts.checking}</h1>
          <p role="status">{texts.checkingTime}</p>
        </>
      )
    case 'no_token':
      return (
        <>
          <EnvelopeMark />
          <h1>{texts.openLink}</h1>
          <p>{texts.openLinkText}</p>
          <AskForLink />
        </>
      )
    case 'expired':
      return (
        <>
          <LateMark />
          <h1>{texts.expired}</h1>
          <p role="alert">{texts.expiredText({ minutes: resetLinkMinutes })}</p>
          <AskForLink />
        </>
      )
    case 'failed':
      return (
        <>
          <EnvelopeMark />
          <h1>{texts.failed}</h1>
          <p role="alert">{link.message}</p>
          <div className="go">
            <button type="button" className="btn primary" onClick={onRetry}>
              {texts.tryAgain}
            </button>
          </div>
        </>
      )
    default:
      return link satisfies never
  }
}

export function ResetPassword() {
  const link = useStore($resetLink, { ssr: 'initial' })
  const sent = useStore($resetMail, { ssr: 'initial' })
  const region = useRef<HTMLDivElement>(null)
  /** The pressed button disappears, so move the focus to the new content. */
  const retry = async () => {
    await openResetLink()
    keepFocus(region)
  }
  useEffect(() => {
    void openResetLink()
  }, [])

  if (link.state === 'open') {
    return (
      <div className="gate">
        <div ref={region} tabIndex={-1} className="slip">
          <Frank />
          <ResetForm email={link.email} />
        </div>
        <Waves />
      </div>
    )
  }
  if (sent !== null) return <LinkSent sent={sent} />
  return (
    <div ref={region} tabIndex={-1} className={`lost ${styles['instead']}`}>
      <Instead link={link} onRetry={() => void retry()} />
    </div>
  )
}
