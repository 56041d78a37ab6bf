import { useEffect, useState } from 'react'

/** The time of this browser's clock in ms since the epoch, kept up to date to the second while `running`. */
export function useNow(running: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    setNowMs(Date.now())
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return nowMs
}
