import { formatTimer } from '#lib/calls/duration.ts'
import { useElapsedMs } from '#ui/use-elapsed.ts'

/** Time since the answer, `sinceMs` in monotonic milliseconds. Screen readers read a timer only on request. */
export function Timer({ sinceMs, className }: { readonly sinceMs: number; readonly className: string }) {
  return (
    <p className={`${className} num`} role="timer" aria-label="Time in call">
      {formatTimer(useElapsedMs(sinceMs))}
    </p>
  )
}
