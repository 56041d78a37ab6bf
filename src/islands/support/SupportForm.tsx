import { type ReactNode, useState } from 'react'
import { type HelpfulAnswer, LikelyAnswers } from './LikelyAnswers.tsx'
import { MessageForm } from './MessageForm.tsx'
import { Sent, type SentMessage } from './Sent.tsx'
import { useLikelyAnswers } from './use-likely-answers.ts'

export interface SupportFormProps {
  readonly answers: readonly HelpfulAnswer[]
  readonly children?: ReactNode
}

/** The form with likely answers, and the confirmation after sending. */
export function SupportForm({ answers, children }: SupportFormProps) {
  const [sent, setSent] = useState<SentMessage | null>(null)
  const likely = useLikelyAnswers(answers)
  if (sent !== null) return <Sent message={sent} />
  return (
    <div className="wrap">
      <div className="top1">
        <h1>Write to us</h1>
        <p>We are in London and answer by e-mail. The usual questions are answered here while you write.</p>
      </div>
      <div className="split2">
        <MessageForm onWriting={likely.ask} onLeaving={likely.keep} onSent={setSent}>
          <LikelyAnswers answers={likely.answers} />
        </MessageForm>
        <aside className="beside">{children}</aside>
      </div>
    </div>
  )
}
