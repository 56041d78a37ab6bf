/** Longer than the voice client takes to notice a path that is gone, of which it tells by itself. */
const secondsUntilMissing = 10

export interface SilenceWatch {
  /** @param packets how many packets of sound arrived in the last second; not a number where none ever did */
  sample(packets: number): void
  /** The path was mended: what comes over it is watched afresh. */
  restart(): void
}

/**
 * Notices that an answered call brings no sound at all, which the voice client (2.18.5) passes over while the
 * path itself stands. A far end that is merely quiet keeps sending packets of silence.
 * @param onChange whether sound arrives; told only when that changes, and it counts as arriving at first
 */
export function createSilenceWatch(onChange: (arriving: boolean) => void): SilenceWatch {
  let arriving = true
  let emptySeconds = 0
  return {
    sample(packets) {
      emptySeconds = packets > 0 ? 0 : emptySeconds + 1
      const now = emptySeconds === 0 || (arriving && emptySeconds < secondsUntilMissing)
      if (now === arriving) return
      arriving = now
      onChange(arriving)
    },
    restart() {
      arriving = true
      emptySeconds = 0
    },
  }
}
