import { atom, type ReadableAtom } from 'nanostores'
import { isAnswered } from '#voice/call.ts'
import {
  type LineQuality,
  type LineWatch,
  newWatch,
  unknownQuality,
  watchAfresh,
  watchLine,
} from '#voice/quality.ts'
import { $call, $digits, $sample } from './call.ts'

const $judged = atom<LineQuality>(unknownQuality)
export const $quality: ReadableAtom<LineQuality> = $judged

/** Rates each second of an answered call. */
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
    // A lost microphone has its own message.
    const silent = call.muted || $digits.get().sending || call.microphone === 'lost'
    show(watchLine(watch, sample, silent))
  })
  $call.listen((call, before) => {
    if (!isAnswered(call)) show(newWatch)
    else if (call.state === 'open' && before?.state === 'reconnecting') show(watchAfresh(watch))
  })
}
