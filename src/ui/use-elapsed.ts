import { useEffect, useState } from 'react'

/** Milliseconds since a monotonic time, updated every second. */
export function useElapsedMs(sinceMs: number): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const now = performance.now()
      setNowMs(now)
      timer = setTimeout(tick, 1000 - ((now - sinceMs) % 1000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [sinceMs])
  return Math.max(0, nowMs - sinceMs)
}
