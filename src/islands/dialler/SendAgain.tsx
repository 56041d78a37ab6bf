import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { showToast } from '#session/toasts.ts'
import { $user, loadUser } from '#session/user.ts'
import { ResendButton } from '#shared/sign-up/ResendButton.tsx'
import { aroundTexts } from './around-texts.ts'

/** Sends the confirmation e-mail again. Whoever comes back to the page may have confirmed meanwhile. */
export function SendAgain() {
  const user = useStore($user)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void loadUser()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return <ResendButton email={user?.email ?? ''} label={aroundTexts.sendAgain} onOutcome={showToast} />
}
