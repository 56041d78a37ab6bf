/** Longer than the voice client takes to detect and report a lost connection. */
const secondsUntilMissing = 10

export interface SilenceWatch {
  /** @param packets audio packets received in the last second; NaN if none ever arrived */
  sample(packets: number): void
  restart(): void
}

/**
 * Detects an answered call without any audio packets, which the voice client (2.18.5) ignores while the connection
 * stands. A quiet callee still sends packets of silence. `onChange` gets changes only; `true` at first.
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
