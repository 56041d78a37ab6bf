import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { followContacts } from '#stores/contacts.ts'
import { openDialler } from '#stores/dialler.ts'
import { $session } from '#stores/session.ts'
import { FeedbackPrompt } from '../feedback/FeedbackPrompt.tsx'
import { Tutorial } from '../tutorial/Tutorial.tsx'
import { Beside } from './Beside.tsx'
import { Phone } from './Phone.tsx'

/** The dialler: the phone, and beside it on wide screens what a caller may want to know. */
export function Dialler() {
  const session = useStore($session)
  useEffect(openDialler, [])
  useEffect(followContacts, [])
  return (
    <div className="desk">
      <Phone />
      {session.status !== 'loading' && <Beside visitor={session.status === 'signed_out'} />}
      <Tutorial />
      <FeedbackPrompt />
    </div>
  )
}
