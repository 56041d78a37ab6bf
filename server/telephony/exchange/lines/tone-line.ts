import { repeat } from '../media/audio-source.ts'
import { milliwattLoop } from '../media/tones.ts'
import type { Line } from './line.ts'

/**
 * Answers at once and plays 1004 Hz at 0 dBm0 until the caller hangs up: a milliwatt test line. With
 * `soundMs` its audio path breaks so long after the answer, for good; with 0 not a packet ever leaves.
 */
export function toneLine(soundMs = Number.POSITIVE_INFINITY): Line {
  return {
    codecs: ['pcmu'],
    take(control) {
      control.play([repeat(milliwattLoop)])
      if (soundMs === 0) control.cutAudio()
      control.ring()
      return {
        connected() {
          control.answer()
          if (soundMs > 0 && Number.isFinite(soundMs)) control.after(soundMs, () => control.cutAudio())
        },
      }
    },
  }
}
