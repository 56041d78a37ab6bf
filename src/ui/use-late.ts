import { useEffect, useState } from 'react'

/** Milliseconds. Shorter waits show nothing, to avoid flicker. */
export const noticeDelayMs = 300

/** True once `lasting` has been true for `noticeDelayMs`. By default: since the component mounted. */
export function useLate(lasting = true): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!lasting) return setLate(false)
    const timer = setTimeout(() => setLate(true), noticeDelayMs)
    return () => clearTimeout(timer)
  }, [lasting])
  return late
}
