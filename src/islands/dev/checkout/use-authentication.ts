import { useState } from 'react'
import { useBusy } from '#ui/use-busy.ts'
import { authenticate } from './local-checkout.ts'

export interface Bank {
  readonly slow: boolean
  /** Number of answers processed. A challenge that stays open after an answer is asked again. */
  readonly given: number
  /** Why the last answer did not lead to a payment; null if it did, or if there was none. */
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
