import { useEffect, useState } from 'react'
import { freeCallUsedKey, localStore } from '#session/storage.ts'
import type { Calculation } from './calculator.ts'
import { isSignedIn } from './use-calling.ts'

/** Whether a free first call may be promised: not to somebody who is signed in and, as last loaded, has used it. */
export function usePromise(): boolean {
  const [promised, setPromised] = useState(true)
  useEffect(() => {
    const decide = () => setPromised(!isSignedIn() || localStore.read(freeCallUsedKey) === null)
    decide()
    // Signed in or out in another tab, or back from the browser's cache.
    addEventListener('storage', decide)
    addEventListener('pageshow', decide)
    return () => {
      removeEventListener('storage', decide)
      removeEventListener('pageshow', decide)
    }
  }, [])
  return promised
}

export function withoutFreeCall(calculation: Calculation): Calculation {
  const { rate } = calculation
  return rate.kind === 'known' ? { ...calculation, rate: { ...rate, freeMinutes: null } } : calculation
}
