import { useStore } from '@nanostores/react'
import { $session } from '#session/session.ts'
import { AskSource } from './AskSource.tsx'
import { PriceConfirmation } from './call/PriceConfirmation.tsx'
import { FeedbackPrompt } from './feedback/FeedbackPrompt.tsx'
import { Sidebar } from './Sidebar.tsx'
import { ShareCall } from './share-call/ShareCall.tsx'
import { Tutorial } from './tutorial/Tutorial.tsx'
import { UpdatePrompt } from './UpdatePrompt.tsx'

/** What is around the phone: the sidebar, and what opens over both. */
export function Around() {
  const { status } = useStore($session)
  return (
    <>
      {status !== 'loading' && <Sidebar visitor={status === 'signed_out'} />}
      <AskSource />
      <PriceConfirmation />
      <Tutorial />
      <FeedbackPrompt />
      <ShareCall />
      <UpdatePrompt />
    </>
  )
}
