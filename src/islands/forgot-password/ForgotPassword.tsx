import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { goOnSignedIn } from '#stores/heard-about.ts'
import { $resetMail, recallResetMail } from '#stores/reset-password.ts'
import { $session, start } from '#stores/session.ts'
import { AskForLink } from './AskForLink.tsx'
import { LinkSent } from './LinkSent.tsx'

export interface ForgotPasswordProps {
  /** The waves beneath the slip. */
  readonly children?: ReactNode
}

/** Asks for the address that a link for a new password goes to, then says that it is on its way. */
export function ForgotPassword({ children }: ForgotPasswordProps) {
  const session = useStore($session, { ssr: 'initial' })
  const sent = useStore($resetMail, { ssr: 'initial' })
  useEffect(() => {
    recallResetMail()
    void start()
  }, [])
  useEffect(() => {
    if (session.status === 'signed_in') goOnSignedIn()
  }, [session.status])

  if (sent !== null) return <LinkSent sent={sent} />
  return (
    <div className="gate">
      <div className="slip">
        <AskForLink>
          <h1>Forgot your password?</h1>
          <p className="soft">
            Tell us your e-mail and we send a link to choose a new one. It works for 30 minutes.
          </p>
        </AskForLink>
        <p className="swap">
          Remembered it? <a href="/login">Login</a>
        </p>
      </div>
      {children}
    </div>
  )
}
