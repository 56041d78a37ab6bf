import { atom, type ReadableAtom } from 'nanostores'
import { isAnswered } from '#lib/rules/call.ts'
import {
  type LineQuality,
  type LineWatch,
  newWatch,
  unknownQuality,
  watchAfresh,
  watchLine,
} from '#lib/rules/quality.ts'
import { $call, $digits, $sample } from './call.ts'

const $judged = atom<LineQuality>(unknownQuality)
/** How good the line of the call in progress is. Written here alone. */
export const $quality: ReadableAtom<LineQuality> = $judged

/** Judges each second of an answered call. */
export function followQuality(): void {
  let watch: LineWatch = newWatch

  function show(next: LineWatch): void {
    watch = next
    const before = $judged.get()
    const { grade, fault, microphoneSilent, microphoneWorked } = next.quality
    const same =
      before.grade === grade &&
      before.fault === fault &&
      before.microphoneSilent === microphoneSilent &&
      before.microphoneWorked === microphoneWorked
    if (!same) $judged.set(next.quality)
  }

  $sample.listen(sample => {
    const call = $call.get()
    if (sample === null || !isAnswered(call)) return
    // A microphone that is gone has words of its own.
    const silent = call.muted || $digits.get().sending || call.microphone === 'lost'
    show(watchLine(watch, sample, silent))
  })
  $call.listen((call, before) => {
    if (!isAnswered(call)) show(newWatch)
    else if (call.state === 'open' && before?.state === 'reconnecting') show(watchAfresh(watch))
  })
}
