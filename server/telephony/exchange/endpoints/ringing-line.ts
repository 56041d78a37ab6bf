import { repeat } from '../media/audio-source.ts'
import { milliwattLoop, ringbackLoop } from '../media/tones.ts'
import type { Endpoint, EndpointCause } from './endpoint.ts'

/** Rings audibly for `ringMs`, and then does `then`. */
export function ringingLine(ringMs: number, then: 'answer' | EndpointCause): Endpoint {
  return {
    codecs: ['pcmu'],
    answerWith(control) {
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
