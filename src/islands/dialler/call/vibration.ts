import { isAnswered } from '#voice/call.ts'
import { $call } from './call.ts'

const answerMs = 100

/** A short buzz at the answer, for a phone that is held away from the eyes; none for people who asked for less motion. */
export function followVibration(): void {
  if (!('vibrate' in navigator)) return
  let talking = isAnswered($call.get())
  $call.listen(call => {
    const begins = isAnswered(call) && !talking
    talking = isAnswered(call)
    if (begins && !matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate(answerMs)
  })
}
