import { formatTimer } from '#lib/calls/duration.ts'
import { useElapsedMs } from '#ui/use-elapsed.ts'

export interface TimerProps {
  /** Monotonic milliseconds of the answer. */
  readonly sinceMs: number
  readonly className: string
}

/** Time since the answer. Screen readers read a timer only on request. */
export function Timer({ sinceMs, className }: TimerProps) {
  return (
    <p className={`${className} num`} role="timer" aria-label="Time in call">
      {formatTimer(useElapsedMs(sinceMs))}
    </p>
  )
}
