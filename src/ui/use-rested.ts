import { useEffect, useRef, useState } from 'react'

/**
 * Debounces a text, so that a live region does not read out intermediate values.
 * @param restMs how long the text must stay unchanged
 * @returns the stable text; empty until the text first changes, because the served text needs no announcement
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
