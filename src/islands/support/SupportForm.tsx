import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { type Asked, likelyAnswers } from './answers.ts'
import { type HelpfulAnswer, LikelyAnswers } from './LikelyAnswers.tsx'
import { MessageForm } from './MessageForm.tsx'
import { Sent, type SentMessage } from './Sent.tsx'
import { support } from './texts.ts'

export interface SupportFormProps {
  readonly answers: readonly HelpfulAnswer[]
  readonly children?: ReactNode
}

export function SupportForm({ answers, children }: SupportFormProps) {
  const [sent, setSent] = useState<SentMessage | null>(null)
  const likely = useLikelyAnswers(answers)
  if (sent !== null) return <Sent message={sent} />
  return (
    <div className="wrap">
      <div className="top1">
        <h1>{support.heading}</h1>
        <p>{support.lede}</p>
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

/** Delay after the last keystroke before answers change. */
const pauseMs = 400

interface LikelyAnswersFound {
  readonly answers: readonly HelpfulAnswer[]
  /** Updates the answers after a pause. */
  readonly ask: (asked: Asked) => void
  /** Cancels a pending update: the page must not move while the user reaches for Send. */
  readonly keep: () => void
}

function useLikelyAnswers(all: readonly HelpfulAnswer[]): LikelyAnswersFound {
  const [answers, setAnswers] = useState<readonly HelpfulAnswer[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = useCallback(() => clearTimeout(timer.current), [])
  const ask = useCallback(
    (asked: Asked) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setAnswers(likelyAnswers(all, asked)), pauseMs)
    },
    [all],
  )
  useEffect(() => keep, [keep])
  return { answers, ask, keep }
}
