import { once } from '../media/audio-source.ts'
import { clip } from '../media/clips.ts'
import type { Line } from './line.ts'

/** Answers at once, says a sentence, and hangs up `talkMs` later. */
export function briefLine(talkMs: number): Line {
  return {
    codecs: ['pcmu'],
    take(control) {
      control.ring()
      return {
        connected() {
          control.answer()
          control.after(talkMs, () => control.hangUp('callee_hung_up'))
          control.play([once(clip('greeting'))])
        },
      }
    },
  }
}
