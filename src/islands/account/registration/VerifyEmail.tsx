import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { keepFocus } from '#ui/keep-focus.ts'
import { MailAddress } from './MailAddress.tsx'
import { ResendForm } from './ResendForm.tsx'
import { EnvelopeMark, VerifyingMark } from './VerificationMarks.tsx'
import { $verification, verify } from './verification.ts'

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
            Checking your link
          </h1>
          <p role="status">This takes a second or two.</p>
        </>
      )
    case 'no_token':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            Open the link in our e-mail
          </h1>
          <p>This page confirms your address when you open it from the e-mail we sent you.</p>
          <ResendForm />
        </>
      )
    case 'expired':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            This link no longer works
          </h1>
          <p role="alert">
            A link works once, for 24 hours. If you've already confirmed, <a href="/login">log in</a>. If not,
            we'll send you a new one.
          </p>
          <ResendForm />
        </>
      )
    case 'other_verified':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            That address is verified
          </h1>
          <p role="status">
            The link was for another account. You’re logged in as{' '}
            <MailAddress email={verification.signedInEmail} end="." /> To use the other account, log out and
            log in with its address.
          </p>
          <div className="go">
            <a className="btn primary" href="/call">
              Make a call
            </a>
          </div>
        </>
      )
    case 'changed':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            Your new address is confirmed
          </h1>
          <p role="status">
            Your account is now at <MailAddress email={verification.email} end="." /> Log in with it from now
            on.
          </p>
          <div className="go">
            <a className="btn primary" href="/profile">
              Your profile
            </a>
          </div>
        </>
      )
    case 'change_expired':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            This link no longer works
          </h1>
          <p role="alert">
            A link works once, for 24 hours. If your account's address hasn't changed, change it again in your
            profile.
          </p>
          <div className="go">
            <a className="btn primary" href="/profile">
              Your profile
            </a>
          </div>
        </>
      )
    case 'change_taken':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            This address has an account
          </h1>
          <p role="alert">
            Somebody has registered it since you asked for the link, so your account can't use it. It keeps
            its current address.
          </p>
          <div className="go">
            <a className="btn primary" href="/profile">
              Your profile
            </a>
          </div>
        </>
      )
    case 'failed':
      return (
        <>
          <EnvelopeMark />
          <h1 ref={heading} tabIndex={-1}>
            We couldn't check your link
          </h1>
          <p role="alert">{verification.message}</p>
          <div className="go">
            <button type="button" className="btn primary" onClick={() => void retry()}>
              Try again
            </button>
          </div>
        </>
      )
    default:
      return verification satisfies never
  }
}
