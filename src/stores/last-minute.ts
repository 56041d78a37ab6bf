import { atom, type ReadableAtom } from 'nanostores'
import { isAnswered } from '#lib/rules/call.ts'
import { msPerMinute } from '#lib/rules/pricing.ts'
import { $call } from './call.ts'
import { $limitMinutes } from './call-terms.ts'

const $last = atom(false)
/**
 * Whether less than a minute is left until the network ends the answered call: at the end of the free call, of a cap, of
 * what the balance covers, or of the longest call. False while no limit is known. Written here alone.
 */
export const $lastMinute: ReadableAtom<boolean> = $last

/**
 * Looks when the last minute begins, and whenever the limit moves. By the server's limit alone: the balance that the page
 * shows is for a moment ahead of the minute it pays for, and what is announced must not come and go.
 */
export function followLastMinute(): void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function look(): void {
    clearTimeout(timer)
    const call = $call.get()
    const limitMinutes = $limitMinutes.get()
    const untilMs =
      isAnswered(call) && limitMinutes !== null
        ? call.answeredAtMs + (limitMinutes - 1) * msPerMinute - performance.now()
        : null
    $last.set(untilMs !== null && untilMs <= 0)
    if (untilMs !== null && untilMs > 0) timer = setTimeout(look, untilMs)
  }

  $call.listen(look)
  $limitMinutes.listen(look)
}
