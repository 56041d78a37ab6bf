import { useEffect, useState } from 'react'

/** Milliseconds: a wait shorter than this is not worth a change on the screen. */
export const patienceMs = 300

/** Whether something, or without a word about it this very part, has lasted long enough to be noticed. */
export function useLate(lasting = true): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!lasting) return setLate(false)
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [lasting])
  return late
}
