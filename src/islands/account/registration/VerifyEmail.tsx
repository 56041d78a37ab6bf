import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { MailAddress } from './MailAddress.tsx'
import { ResendForm } from './ResendForm.tsx'
import { EnvelopeMark, VerifyingMark } from './VerificationMarks.tsx'
import { $verification, verify } from './verification.ts'
import { texts } from './verify-email-texts.ts'

export function VerifyEmail() {
  const verification = useStore($verification, { ssr: 'initial' })
  const heading = useRef<HTMLHeadingElement>(null)
  /** The pressed button disappears, so move the focus to the new content. */
  const retry = async () => {
    await verify()
    keepFocus(heading)
  }
  useEffect(() => {
    void verify()
  }, [])

  switch (verification.state) {
    case 'checking':
      return (
        <>
          <VerifyingMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.checking}
          </h1>
          <p role="status">{texts.checkingTime}</p>
        </>
      )
    case 'no_token':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.openLink}
          </h1>
          <p>{texts.openLinkText}</p>
          <ResendForm />
        </>
      )
    case 'expired':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.expired}
          </h1>
          <p role="alert">
            {texts.expiredText({
              login: label => (
                <a key="login" href={localPath('/login')}>
                  {label}
                </a>
              ),
            })}
          </p>
          <ResendForm />
        </>
      )
    case 'other_verified':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.otherVerified}
          </h1>
          <p role="status">
            {texts.otherVerifiedText({
              address: end => <MailAddress key="address" email={verification.signedInEmail} end={end} />,
            })}
          </p>
          <div className="go">
            <a className="btn primary" href={localPath('/call')}>
              {texts.makeCall}
            </a>
          </div>
        </>
      )
    case 'changed':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.changed}
          </h1>
          <p role="status">
            {texts.changedText({
              address: end => <MailAddress key="address" email={verification.email} end={end} />,
            })}
          </p>
          <div className="go">
            <a className="btn primary" href={localPath('/profile')}>
              {texts.profile}
            </a>
          </div>
        </>
      )
    case 'change_expired':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.expired}
          </h1>
          <p role="alert">{texts.changeExpiredText}</p>
          <div className="go">
            <a className="btn primary" href={localPath('/profile')}>
              {texts.profile}
            </a>
          </div>
        </>
      )
    case 'change_taken':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.changeTaken}
          </h1>
          <p role="alert">{texts.changeTakenText}</p>
          <div className="go">
            <a className="btn primary" href={localPath('/profile')}>
              {texts.profile}
            </a>
          </div>
        </>
      )
    case 'failed':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            {texts.failed}
          </h1>
          <p role="alert">{verification.message}</p>
          <div className="go">
            <button type="button" className="btn primary" onClick={() => void retry()}>
              {texts.tryAgain}
            </button>
          </div>
        </>
      )
    default:
      return verification satisfies never
  }
}
