import { useCallback, useEffect, useRef, useState } from 'react'
import { patienceMs } from '../patience/use-late.ts'

type Phase = 'idle' | 'working'

export interface Busy {
  /** Whether the work has lasted so long that the page should say so. */
  readonly slow: boolean
  /** Runs the work, unless some is under way. With `keep` as its answer the page stays busy: it is leaving. */
  readonly run: (work: () => Promise<'keep' | 'done'>) => void
}

/** One piece of work at a time, however often the button is pressed. */
export function useBusy(): Busy {
  const phase = useRef<Phase>('idle')
  const [slow, setSlow] = useState(false)

  const run = useCallback((work: () => Promise<'keep' | 'done'>) => {
    if (phase.current === 'working') return
    phase.current = 'working'
    const timer = setTimeout(() => setSlow(true), patienceMs)
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

  // Back from the next page, the browser may bring this one from its memory as it was left: busy.
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
