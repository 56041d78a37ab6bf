import { localTimeOfNumber, nightText } from '#lib/numbers/local-time.ts'
import { minuteMs } from '#lib/time.ts'
import { setNight } from './caution.ts'
import { $verdict } from './dial.ts'

/** Says before a call that people sleep where the number rings, by the minute; screen readers hear it once per number. */
export function followNight(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first: { readonly e164: string; readonly text: string } | null = null
  $verdict.subscribe(look)

  function look(): void {
    clearTimeout(timer)
    const verdict = $verdict.get()
    const local = verdict?.kind === 'ok' ? localTimeOfNumber(verdict.e164, new Date(), verdict.isoCode) : null
    const text = local && nightText(local)
    if (verdict?.kind !== 'ok' || text === null) first = null
    else if (first?.e164 !== verdict.e164) first = { e164: verdict.e164, text }
    setNight(text, first?.text)
    if (local !== null) timer = setTimeout(look, minuteMs - (Date.now() % minuteMs))
  }
}
