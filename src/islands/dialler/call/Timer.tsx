import { formatTimer } from '#lib/calls/duration.ts'
import { useElapsedMs } from '#ui/use-elapsed.ts'
import { texts } from './texts.ts'

/** Time since the answer, `sinceMs` in monotonic milliseconds. Screen readers read a timer only on request. */
export function Timer({ sinceMs, className }: { readonly sinceMs: number; readonly className: string }) {
  return (
    <p className={`${className} num`} dir="ltr" role="timer" aria-label={texts.timer}>
      {formatTimer(useElapsedMs(sinceMs))}
    </p>
  )
}
