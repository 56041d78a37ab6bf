import type { Line } from './line.ts'

/** Always busy. */
export const busyLine: Line = {
  codecs: ['pcmu'],
  take(control) {
    control.hangUp('busy')
    return {}
  },
}
