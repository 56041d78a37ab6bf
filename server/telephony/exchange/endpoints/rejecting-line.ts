import type { Endpoint, EndpointCause } from './endpoint.ts'

export function rejectingLine(end: EndpointCause): Endpoint {
  return {
    codecs: ['pcmu'],
    answerWith(control) {
      control.hangUp(end)
      return {}
    },
  }
}
