import { useEffect, useRef, useState } from 'react'

/** Debounces a text for a live region by `restMs`. Empty until it first changes: served text needs no announcement. */
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
