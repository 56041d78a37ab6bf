import { repeat } from '../media/audio-source.ts'
import { ringbackLoop } from '../media/tones.ts'
import type { Line, LineCall, LineControl } from './line.ts'

/** Rings a telephone in somebody's browser; the caller hears it ring. */
export function handsetLine(call: (control: LineControl) => LineCall): Line {
  return {
    // Passed on as it comes. Mu-law beside it for what we play ourselves: ringing, tones of keys, silence.
    codecs: ['opus', 'pcmu'],
    take(control) {
      const taken = call(control)
      control.play([repeat(ringbackLoop)])
      control.ring()
      return taken
    },
  }
}
