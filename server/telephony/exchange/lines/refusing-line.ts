import type { Line, LineEnd } from './line.ts'

/** Takes no call: nothing rings, and the caller is told why at once. */
export function refusingLine(end: LineEnd): Line {
  return {
    codecs: ['pcmu'],
    take(control) {
      control.hangUp(end)
      return {}
    },
  }
}
