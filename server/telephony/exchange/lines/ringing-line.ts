import { repeat } from '../media/audio-source.ts'
import { milliwattLoop, ringbackLoop } from '../media/tones.ts'
import type { Line, LineEnd } from './line.ts'

/** Rings for `ringMs`, as the caller hears, and then does this. */
export function ringingLine(ringMs: number, then: 'answer' | LineEnd): Line {
  return {
    codecs: ['pcmu'],
    take(control) {
      control.play([repeat(ringbackLoop)])
      control.ring()
      return {
        connected() {
          control.after(ringMs, () => {
            if (then !== 'answer') return control.hangUp(then)
            control.play([repeat(milliwattLoop)])
            control.answer()
          })
        },
      }
    },
  }
}
