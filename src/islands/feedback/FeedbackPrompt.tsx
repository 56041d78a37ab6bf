import { useStore } from '@nanostores/react'
import { feedback } from '#stores/feedback.ts'
import { Modal } from '../dialler/Modal.tsx'
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
