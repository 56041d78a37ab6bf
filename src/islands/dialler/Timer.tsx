import { formatTimer } from '#lib/rules/duration.ts'
import { useElapsedMs } from './use-elapsed.ts'

export interface TimerProps {
  /** Monotonic milliseconds of the answer. */
  readonly sinceMs: number
  readonly className: string
}

/** Minutes and seconds since the answer. A timer is silent to screen readers until they ask for it. */
export function Timer({ sinceMs, className }: TimerProps) {
  return (
    <p className={`${className} num`} role="timer" aria-label="Time in call">
      {formatTimer(useElapsedMs(sinceMs))}
    </p>
  )
}
