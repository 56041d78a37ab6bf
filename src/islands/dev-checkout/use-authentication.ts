import { useState } from 'react'
import { authenticate } from '#stores/local-checkout.ts'
import { useBusy } from '../submit-button/useBusy.ts'

/** The answer to the bank that is being given, and what came of the last one. */
export interface Bank {
  readonly slow: boolean
  /** How many answers have come to an end: the question that one left open is put anew. */
  readonly given: number
  /** Why the last answer did not lead to a payment; null when it did, or none was given. */
  readonly failure: string | null
  readonly forget: () => void
  readonly answer: (approved: boolean) => void
}

export function useAuthentication(): Bank {
  const [failure, setFailure] = useState<string | null>(null)
  const [given, setGiven] = useState(0)
  const { slow, run } = useBusy()
  return {
    slow,
    given,
    failure,
    forget: () => setFailure(null),
    answer: approved =>
      run(async () => {
        setFailure(null)
        setFailure(await authenticate(approved))
        setGiven(count => count + 1)
        return 'done'
      }),
  }
}
