import type { Line } from './line.ts'

/**
 * Answers at once and gives the caller's packets back as they come, with the gaps of what was lost on the way: what is
 * lost in either direction is missing once where it is measured.
 */
export const echoLine: Line = {
  codecs: ['opus', 'pcmu'],
  take(control) {
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
