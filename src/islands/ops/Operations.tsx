import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { useLate } from '#ui/use-late.ts'
import { Lines } from './Lines.tsx'
import styles from './ops.module.css'
import { $operations, openOperations, watchOperations } from './ops.ts'

function Waiting({ what }: { readonly what: string }) {
  const late = useLate()
  return (
    <>
      <h1>Lines</h1>
      <p role="status" className="soft">
        {late && what}
      </p>
    </>
  )
}

function SignedOut({ link }: { readonly link: 'none' | 'expired' }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The previous view was removed together with the focus.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {link === 'expired' ? 'This link no longer works' : 'For operators'}
      </h1>
      {link === 'expired' ? (
        <p role="alert">Each link works once, for 10 minutes. Create a new one on the server:</p>
      ) : (
        <p>
          Log in to your account with a second factor, then open a login link. Create one on the server, as
          the user that runs it:
        </p>
      )}
      <p>
        <code>npm run admin -- ops-link</code>
      </p>
      <p className="soft small">It works once, for 10 minutes, and logs this browser in for 12 hours.</p>
    </>
  )
}

function NeedsSecondFactor({ by }: { readonly by: 'nobody' | 'password' }) {
  return (
    <>
      <h1>{by === 'nobody' ? 'Log in first' : 'This page needs a second factor'}</h1>
      {by === 'nobody' ? (
        <p role="alert">
          Operators log in to their own account with a passkey or another second factor. Then open the link
          again. It works for 10 minutes.
        </p>
      ) : (
        <p role="alert">
          You're logged in without one. Add a passkey or an authenticator app to your account, log in with it,
          and open the link again. It works for 10 minutes. If it expires, create another.
        </p>
      )}
      <p>
        <a
          className="btn primary"
          href={by === 'nobody' ? '/login?next=%2Fops' : '/profile#profile-security'}
        >
          {by === 'nobody' ? 'Log in' : 'Set up a second factor'}
        </a>
      </p>
    </>
  )
}

function Failed({ title, message }: { readonly title: string; readonly message: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p className="note bad" role="alert">
        {message}
      </p>
      <button type="button" className="btn primary" onClick={() => void openOperations()}>
        Try again
      </button>
    </>
  )
}

export function Operations() {
  const operations = useStore($operations)
  useEffect(() => watchOperations(), [])
  if (operations.state === 'ready') {
    return <Lines overview={operations.overview} trouble={operations.trouble} />
  }
  return (
    <div className={`wrap ${styles['start']}`}>
      {operations.state === 'loading' && <Waiting what="Loading…" />}
      {operations.state === 'signing_in' && <Waiting what="Logging you in…" />}
      {operations.state === 'signed_out' && <SignedOut key={operations.link} link={operations.link} />}
      {operations.state === 'needs_second_factor' && <NeedsSecondFactor by={operations.by} />}
      {operations.state === 'not_signed_in' && (
        <Failed title="You aren't logged in yet" message={operations.message} />
      )}
      {operations.state === 'failed' && <Failed title="Lines" message={operations.message} />}
    </div>
  )
}
