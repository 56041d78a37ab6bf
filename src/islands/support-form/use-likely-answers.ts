import { useCallback, useEffect, useRef, useState } from 'react'
import { type Asked, likelyAnswers } from '#lib/rules/answers.ts'
import type { HelpfulAnswer } from './LikelyAnswers.tsx'

/** Nobody reads answers between two keystrokes. */
const pauseMs = 400

export interface LikelyAnswersFound {
  readonly answers: readonly HelpfulAnswer[]
  /** What is asked now; found once there is a pause. */
  readonly ask: (asked: Asked) => void
  /** Leaves what is shown as it is: the page must not move under a finger that reaches for Send. */
  readonly keep: () => void
}

/** The ready answers to what is being written. */
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
