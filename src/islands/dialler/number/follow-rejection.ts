import { atom, computed, type ReadableAtom } from 'nanostores'
import { $phoneRules } from '#shared/numbers/phone-rules.ts'
import { $paintedDial, $verdict, setRejection } from './dial.ts'
import { $rate } from './rate.ts'

/** A number is reported as incomplete or impossible only after this pause. */
const faultRestMs = 1200

const $found = atom<string | null>(null)
/** What is wrong with the number once typing rests; null if nothing is. */
export const $fault: ReadableAtom<string | null> = $found

/** Says what is wrong with the number once typing rests, and why it is never called as soon as that is certain. */
export function followRejection(): void {
  let resting: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    $found.set(null)
    clearTimeout(resting)
    resting = setTimeout(() => {
      const { typed, country } = $paintedDial.get()
      const verdict = $verdict.get()
      $found.set(verdict === null ? null : ($phoneRules.get()?.numberFault(typed, country, verdict) ?? null))
    }, faultRestMs)
  }
  $paintedDial.listen((dial, before) => {
    if (dial.typed !== before?.typed || dial.country !== before.country) look()
  })
  look()
  computed([$paintedDial, $verdict, $phoneRules, $rate, $found], ({ typed }, verdict, rules, rate, fault) => {
    if (verdict === null || rules === null) return null
    const unsold = verdict.kind === 'ok' && rate.kind === 'unsupported' && rate.number === verdict.e164
    return rules.rejectionOf(typed, verdict, {
      unsold,
      fault: fault === null || rules.isUnfinished(fault) ? null : fault,
    })
  }).subscribe(setRejection)
}
