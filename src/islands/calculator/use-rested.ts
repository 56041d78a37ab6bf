import { useEffect, useRef, useState } from 'react'

/**
 * A text as it is once it has not changed for a while, so that a live region does not read out each step
 * on the way. Empty until the text first changes: what a page is served with is no news.
 */
export function useRested(text: string, restMs: number): string {
  const [rested, setRested] = useState('')
  const seen = useRef(text)
  useEffect(() => {
    if (text === seen.current) return
    const timer = setTimeout(() => {
      seen.current = text
      setRested(text)
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, restMs])
  return rested
}
