import { useEffect, useState } from 'react'

/** Local time in ms since the epoch, updated every second while `running`. */
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
