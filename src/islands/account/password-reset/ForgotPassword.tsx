import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { resetLinkMinutes } from '#lib/account/account.ts'
import { localPath } from '#lib/i18n/path.ts'
import { $session, start } from '#session/session.ts'
import { $user, loadUser } from '#session/user.ts'
import { Frank } from '#ui/Frank.tsx'
import { Waves } from '#ui/Waves.tsx'
import { AskForLink } from './AskForLink.tsx'
import { LinkSent } from './LinkSent.tsx'
import { $resetMail, recallResetMail } from './reset-password.ts'
import { texts } from './texts.ts'

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
          <h1>{texts.forgot}</h1>
          <p className="soft">{texts.forgotText({ minutes: resetLinkMinutes })}</p>
        </AskForLink>
        <p className="swap">
          {signedIn
            ? texts.rememberedProfile({
                profile: label => (
                  <a key="profile" href={localPath('/profile')}>
                    {label}
                  </a>
                ),
              })
            : texts.rememberedLogin({
                login: label => (
                  <a key="login" href={localPath('/login')}>
                    {label}
                  </a>
                ),
              })}
        </p>
      </div>
      <Waves />
    </div>
  )
}
