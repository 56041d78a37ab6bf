import { atom, type ReadableAtom } from 'nanostores'
import { minuteMs } from '#lib/time.ts'
import { isAnswered } from '#voice/call.ts'
import { $call } from './call.ts'
import { $limitMinutes } from './call-terms.ts'

const $last = atom(false)
/** Whether the carrier ends the answered call in less than a minute; false if no limit is known. */
export const $lastMinute: ReadableAtom<boolean> = $last

/** Uses only the server's limit: the shown balance can be briefly ahead of its charge, and text must not flicker. */
export function followLastMinute(): void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function look(): void {
    clearTimeout(timer)
    const call = $call.get()
    const limitMinutes = $limitMinutes.get()
    const untilMs =
      isAnswered(call) && limitMinutes !== null
        ? call.answeredAtMs + (limitMinutes - 1) * minuteMs - performance.now()
        : null
    $last.set(untilMs !== null && untilMs <= 0)
    if (untilMs !== null && untilMs > 0) timer = setTimeout(look, untilMs)
  }

  $call.listen(look)
  $limitMinutes.listen(look)
}
