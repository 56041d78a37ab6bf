import { useStore } from '@nanostores/react'
import { Modal } from '#ui/Modal.tsx'
import { feedback } from './feedback.ts'
import { Questions } from './Questions.tsx'
import { Thanks } from './Thanks.tsx'

/** Asks about the last call, in front of the dialler while the store says so. */
export function FeedbackPrompt() {
  const { state } = useStore(feedback.$prompt)
  if (state === 'closed') return null
  return (
    <Modal labelledBy="feedback-title" onClose={feedback.close}>
      {state === 'asking' ? <Questions titleId="feedback-title" /> : <Thanks titleId="feedback-title" />}
    </Modal>
  )
}
