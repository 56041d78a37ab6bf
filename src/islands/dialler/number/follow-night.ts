import { localTimeOfNumber, nightText } from '#lib/numbers/local-time.ts'
import { minuteMs } from '#lib/time.ts'
import { setNight } from './caution.ts'
import { $verdict } from './dial.ts'

/** Says before a call that people sleep where the number rings, by the minute. */
export function followNight(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  $verdict.subscribe(look)

  function look(): void {
    clearTimeout(timer)
    const verdict = $verdict.get()
    const local = verdict?.kind === 'ok' ? localTimeOfNumber(verdict.e164, new Date(), verdict.isoCode) : null
    setNight(local === null ? null : nightText(local))
    if (local !== null) timer = setTimeout(look, minuteMs - (Date.now() % minuteMs))
  }
}
