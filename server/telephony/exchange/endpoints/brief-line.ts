import { once } from '../media/audio-source.ts'
import { clip } from '../media/clips.ts'
import type { Endpoint } from './endpoint.ts'

/** Answers at once, plays a greeting, and hangs up after `durationMs`. */
export function briefLine(durationMs: number): Endpoint {
  return {
    codecs: ['pcmu'],
    answerWith(control) {
      control.ring()
      return {
        connected() {
          control.answer()
          control.after(durationMs, () => control.hangUp('callee_hung_up'))
          control.play([once(clip('greeting'))])
        },
      }
    },
  }
}
