import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { resetLinkMinutes } from '#lib/account/account.ts'
import { $session, start } from '#session/session.ts'
import { $user, loadUser } from '#session/user.ts'
import { Frank } from '#ui/Frank.tsx'
import { Waves } from '#ui/Waves.tsx'
import { AskForLink } from './AskForLink.tsx'
import { LinkSent } from './LinkSent.tsx'
import { $resetMail, recallResetMail } from './reset-password.ts'

/** Also for signed-in users who forgot their password: the profile requires the current one. */
export function ForgotPassword() {
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
        <Frank />
        <AskForLink known={user?.email ?? null}>
          <h1>Forgot your password?</h1>
          <p className="soft">
            Enter your e-mail address and we'll send you a link to choose a new one. It works for{' '}
            {resetLinkMinutes} minutes.
          </p>
        </AskForLink>
        <p className="swap">
          Remembered it? {signedIn ? <a href="/profile">Back to your profile</a> : <a href="/login">Login</a>}
        </p>
      </div>
      <Waves />
    </div>
  )
}
