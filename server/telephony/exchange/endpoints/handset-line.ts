import { repeat } from '../media/audio-source.ts'
import { ringbackLoop } from '../media/tones.ts'
import type { Endpoint, EndpointCall, EndpointControl } from './endpoint.ts'

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
