import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { resetLinkMinutes } from '#lib/rules/account.ts'
import { $resetMail, recallResetMail } from '#stores/reset-password.ts'
import { $session, start } from '#stores/session.ts'
import { $user, loadUser } from '#stores/user.ts'
import { AskForLink } from './AskForLink.tsx'
import { LinkSent } from './LinkSent.tsx'

export interface ForgotPasswordProps {
  /** The waves beneath the slip. */
  readonly children?: ReactNode
}

/**
 * Asks for the address that a link for a new password goes to, then says that it is on its way. Also for somebody who is
 * signed in and has forgotten it: on the profile a new password takes the current one.
 */
export function ForgotPassword({ children }: ForgotPasswordProps) {
  const session = useStore($session, { ssr: 'initial' })
  const user = useStore($user, { ssr: 'initial' })
  const sent = useStore($resetMail, { ssr: 'initial' })
  const signedIn = session.status === 'signed_in'
  useEffect(() => {
    recallResetMail()
    void start()
  }, [])
  useEffect(() => {
    if (signedIn) void loadUser()
  }, [signedIn])

  if (sent !== null) return <LinkSent sent={sent} />
  return (
    <div className="gate">
      <div className="slip">
        <AskForLink known={user?.email ?? null}>
          <h1>Forgot your password?</h1>
          <p className="soft">
            Tell us your e-mail and we send a link to choose a new one. It works for {resetLinkMinutes}{' '}
            minutes.
          </p>
        </AskForLink>
        <p className="swap">
          Remembered it? {signedIn ? <a href="/profile">Back to your profile</a> : <a href="/login">Login</a>}
        </p>
      </div>
      {children}
    </div>
  )
}
