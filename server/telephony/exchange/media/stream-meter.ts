import type { Codec } from './audio-packet.ts'
import { type Level, LevelMeter } from './level-meter.ts'

/** One direction of a call's audio. */
export interface StreamObservation {
  readonly packets: number
  /** That of the last 500 ms; null while Opus flows, which is passed on without being decoded. */
  readonly level: Level | null
}

/** Counts the packets of one direction, and measures those that need no decoder. */
export class StreamMeter {
  readonly #mulaw = new LevelMeter()
  #packets = 0
  #codec: Codec = 'pcmu'

  add(codec: Codec, payload: Uint8Array): void {
    this.#packets += 1
    this.#codec = codec
    if (codec === 'pcmu') this.#mulaw.add(payload)
  }

  observe(): StreamObservation {
    return { packets: this.#packets, level: this.#codec === 'pcmu' ? this.#mulaw.level() : null }
  }
}
