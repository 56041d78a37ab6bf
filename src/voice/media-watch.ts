/** Consecutive samples with audio before it counts as restored. */
const samplesUntilBack = 3
/** Min packets per sample, of 50 a second; fewer may be stragglers. */
const fewestPackets = 10

export interface MediaWatch {
  lost(): void
  back(): void
  /** @param packets audio packets received in the last second */
  sample(packets: number): void
}

/** The voice client (2.18.5) misses a recovery during its own repair, and would drop a working call after 30 s. */
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
