import { repeat } from '../media/audio-source.ts'
import { milliwattLoop } from '../media/tones.ts'
import type { Line } from './line.ts'

/** Answers at once and plays 1004 Hz at 0 dBm0 until the caller hangs up: a milliwatt test line. */
export const toneLine: Line = {
  codecs: ['pcmu'],
  take(control) {
    control.play([repeat(milliwattLoop)])
    control.ring()
    control.answer()
    return {}
  },
}
