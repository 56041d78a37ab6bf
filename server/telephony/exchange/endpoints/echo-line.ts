import type { Endpoint } from './endpoint.ts'

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
