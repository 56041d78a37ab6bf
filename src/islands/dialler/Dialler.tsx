import { useStore } from '@nanostores/react'
import { startTransition, useEffect, useState } from 'react'
import { openDialler } from '#stores/dialler.ts'
import { $session } from '#stores/session.ts'
import { Phone } from './Phone.tsx'
import { useAroundPhone } from './use-around-phone.ts'

/** The dialler: the phone, and beside it on wide screens whom and how a caller may call. */
export function Dialler() {
  const session = useStore($session)
  const around = useAroundPhone(true)
  // What stands around the phone is drawn after what of it stands in the phone, so that keys pressed meanwhile are answered.
  const [isPhoneWhole, setPhoneWhole] = useState(false)
  useEffect(openDialler, [])
  useEffect(() => {
    if (around !== null) startTransition(() => setPhoneWhole(true))
  }, [around])
  return (
    <div className="desk">
      <Phone />
      {around && isPhoneWhole && (
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
