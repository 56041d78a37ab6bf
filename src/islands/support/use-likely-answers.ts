import { useCallback, useEffect, useRef, useState } from 'react'
import { type Asked, likelyAnswers } from './answers.ts'
import type { HelpfulAnswer } from './LikelyAnswers.tsx'

/** Delay after the last keystroke before answers change. */
const pauseMs = 400

export interface LikelyAnswersFound {
  readonly answers: readonly HelpfulAnswer[]
  /** Updates the answers after a pause. */
  readonly ask: (asked: Asked) => void
  /** Cancels a pending update: the page must not move while the user reaches for Send. */
  readonly keep: () => void
}

export function useLikelyAnswers(all: readonly HelpfulAnswer[]): LikelyAnswersFound {
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
