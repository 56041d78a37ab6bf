import { once } from '../media/audio-source.ts'
import { clip } from '../media/clips.ts'
import type { Line } from './line.ts'

/** Answers at once, says a word, and hangs up `talkMs` after the audio path stood. */
export function briefLine(talkMs: number): Line {
  return {
    codecs: ['pcmu'],
    take(control) {
      control.ring()
      return {
        connected() {
          control.answer()
          control.play([once(clip('greeting'))])
          control.after(talkMs, () => control.hangUp('callee_hung_up'))
        },
      }
    },
  }
}
