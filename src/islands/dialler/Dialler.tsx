import { useStore } from '@nanostores/react'
import { startTransition, useEffect, useState } from 'react'
import { $session } from '#session/session.ts'
import { openDialler } from './dialler.ts'
import { Phone } from './Phone.tsx'
import { useLazyDialler } from './use-lazy-dialler.ts'

export function Dialler() {
  const session = useStore($session)
  const lazy = useLazyDialler(true)
  // The sidebar renders after the phone, so that keys pressed meanwhile are handled.
  const [isPhoneWhole, setPhoneWhole] = useState(false)
  useEffect(openDialler, [])
  useEffect(() => {
    if (lazy !== null) startTransition(() => setPhoneWhole(true))
  }, [lazy])
  return (
    <div className="desk">
      <Phone />
      {lazy && isPhoneWhole && (
        <>
          {session.status !== 'loading' && <lazy.Sidebar visitor={session.status === 'signed_out'} />}
          <lazy.PriceConfirmation />
          <lazy.Tutorial />
          <lazy.FeedbackPrompt />
          <lazy.UpdatePrompt />
        </>
      )}
    </div>
  )
}
