import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { openDialler } from '#stores/dialler.ts'
import { $session } from '#stores/session.ts'
import { Phone } from './Phone.tsx'
import { useAroundPhone } from './use-around-phone.ts'

/** The dialler: the phone, and beside it on wide screens whom and how a caller may call. */
export function Dialler() {
  const session = useStore($session)
  const around = useAroundPhone(true)
  useEffect(openDialler, [])
  return (
    <div className="desk">
      <Phone />
      {around && (
        <>
          {session.status !== 'loading' && <around.Beside visitor={session.status === 'signed_out'} />}
          <around.PriceConfirmation />
          <around.Tutorial />
          <around.FeedbackPrompt />
          <around.UpdatePrompt />
        </>
      )}
    </div>
  )
}
