import { useCallback, useEffect, useRef, useState } from 'react'
import { noticeDelayMs } from './use-late.ts'

type Phase = 'idle' | 'working'

export interface Busy {
  /** True once the work has lasted long enough to be shown. */
  readonly slow: boolean
  /** Does nothing while other work runs. With the result `keep` the page stays busy, because it is navigating away. */
  readonly run: (work: () => Promise<'keep' | 'done'>) => void
}

/** Runs one task at a time, however often the button is pressed. */
export function useBusy(): Busy {
  const phase = useRef<Phase>('idle')
  const [slow, setSlow] = useState(false)

  const run = useCallback((work: () => Promise<'keep' | 'done'>) => {
    if (phase.current === 'working') return
    phase.current = 'working'
    const timer = setTimeout(() => setSlow(true), noticeDelayMs)
    const finish = () => {
      clearTimeout(timer)
      phase.current = 'idle'
      setSlow(false)
    }
    work().then(
      next => next === 'done' && finish(),
      (bug: unknown) => {
        finish()
        throw bug
      },
    )
  }, [])

  // The back/forward cache may restore the page in its busy state.
  useEffect(() => {
    const reset = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      phase.current = 'idle'
      setSlow(false)
    }
    window.addEventListener('pageshow', reset)
    return () => window.removeEventListener('pageshow', reset)
  }, [])

  return { slow, run }
}
