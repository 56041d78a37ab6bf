/** Sound that arrives in so many samples in a row is back. */
const samplesUntilBack = 3
/** Of the 50 packets of a second. Fewer may be stragglers. */
const fewestPackets = 10

export interface MediaWatch {
  /** The voice client says that the sound is lost. */
  lost(): void
  /** The voice client says that it is back. */
  back(): void
  /** @param packets how many packets of sound arrived in the last second */
  sample(packets: number): void
}

/**
 * Notices by itself that lost sound is back. The voice client (2.18.5) waits for a change of the path's
 * state, and misses it when the path heals in the moment in which the client begins to mend it: it would
 * reconnect for 30 s and then give up a call that can be heard well.
 */
export function createMediaWatch(onBack: () => void): MediaWatch {
  let steadySamples: number | null = null
  return {
    lost() {
      steadySamples ??= 0
    },
    back() {
      steadySamples = null
    },
    sample(packets) {
      if (steadySamples === null) return
      steadySamples = packets < fewestPackets ? 0 : steadySamples + 1
      if (steadySamples < samplesUntilBack) return
      steadySamples = null
      onBack()
    },
  }
}
