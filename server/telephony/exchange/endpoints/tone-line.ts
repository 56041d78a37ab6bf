import { repeat } from '../media/audio-source.ts'
import { milliwattLoop } from '../media/tones.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * A milliwatt test line: answers at once and plays 1004 Hz at 0 dBm0 until the caller hangs up. With `soundMs` the audio
 * path breaks for good that long after the answer; with 0 no packet is ever sent.
 */
export function toneLine(soundMs = Number.POSITIVE_INFINITY): Endpoint {
  return {
    codecs: ['pcmu'],
    answerWith(control) {
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
