import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { useEffect } from 'react'
import { $user, loadUser } from '#session/user.ts'
import styles from './email-verified.module.css'
import { readyThen } from './ready.ts'

export function EmailVerified() {
  const ready = readyThen(useStore($user, { ssr: 'initial' }))
  useEffect(() => void loadUser(), [])
  return (
    <>
      <p className={ready === 'account' ? styles['used'] : undefined}>
        Your e-mail is verified and your {ready} is ready.
      </p>
      <div className="go">
        <a className="btn call big" href="/login" data-when="out">
          <Phone className="i" aria-hidden="true" />
          Log in and call
        </a>
        <a className="btn call big" href="/heard-about?once" data-when="in">
          <Phone className="i" aria-hidden="true" />
          {ready === 'account' ? 'Make a call' : 'Make your free call'}
        </a>
      </div>
    </>
  )
}
