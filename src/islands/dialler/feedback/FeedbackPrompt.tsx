import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { Modal } from '#ui/Modal.tsx'
import { $callEnded } from '../call-ended/call-ended.ts'
import { useWide } from '../use-wide.ts'
import styles from './feedback.module.css'
import { feedback } from './feedback.ts'
import { Questions } from './Questions.tsx'
import { texts } from './texts.ts'

/** Comes after the receipt: once that is closed, or where there is room, beside it. */
export function FeedbackPrompt() {
  const { state } = useStore(feedback.$prompt)
  const receipt = useStore($callEnded)
  const wide = useWide()
  const isCovered = !wide && receipt !== null && !receipt.superseded
  // A window that becomes narrow takes no answers away.
  const [begun, setBegun] = useState(false)
  useEffect(() => {
    if (state === 'closed') setBegun(false)
    else if (!isCovered) setBegun(true)
  }, [state, isCovered])
  if (state === 'closed' || (state === 'asking' && isCovered && !begun)) return null
  return (
    <Modal
      labelledBy="feedback-title"
      className={(wide && receipt !== null && styles['beside']) || ''}
      onClose={feedback.close}
    >
      {state === 'asking' ? <Questions titleId="feedback-title" /> : <Thanks titleId="feedback-title" />}
    </Modal>
  )
}

/** Shown after the feedback is sent; closes by itself. */
function Thanks({ titleId }: { readonly titleId: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={`in ${styles['thanks']}`}>
      <svg className={`postmark ${styles['done']}`} viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="47" />
        <circle cx="50" cy="50" r="38" />
        <path d="m34 51 11 11 21-24" strokeWidth="4" />
      </svg>
      <h2 ref={heading} id={titleId} className={styles['title']} tabIndex={-1} aria-describedby="appreciated">
        {texts.thanks}
      </h2>
      <p id="appreciated" className="soft">
        {texts.appreciated}
      </p>
    </div>
  )
}
