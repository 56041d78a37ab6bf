import { repeat } from '../media/audio-source.ts'
import { spoken } from '../media/clips.ts'
import { milliwattLoop, ringbackLoop } from '../media/tones.ts'
import type { Endpoint, EndpointCall, EndpointCause, EndpointControl } from './endpoint.ts'

export function rejectingLine(end: EndpointCause): Endpoint {
  return {
    codecs: ['pcmu'],
    answerWith(control) {
      control.hangUp(end)
      return {}
    },
  }
}

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
          control.play([spoken('greeting')])
        },
      }
    },
  }
}

/** Answers at once and plays 1004 Hz at 0 dBm0. After `soundMs` the audio breaks for good; with 0 no packet is sent. */
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

/** Answers at once and returns the caller's packets with their gaps: each loss, either way, is measured once. */
export const echoLine: Endpoint = {
  codecs: ['opus', 'pcmu'],
  answerWith(control) {
    control.ring()
    return {
      connected() {
        control.startRelay()
        control.answer()
      },
      audio: packet => control.relay(packet),
    }
  },
}

export function handsetLine(call: (control: EndpointControl) => EndpointCall): Endpoint {
  return {
    // Opus is relayed. Mu-law is for what we play ourselves: ringback, key tones, silence.
    codecs: ['opus', 'pcmu'],
    answerWith(control) {
      const endpointCall = call(control)
      control.play([repeat(ringbackLoop)])
      control.ring()
      return endpointCall
    },
  }
}
