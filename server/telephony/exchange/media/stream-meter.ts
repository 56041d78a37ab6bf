import type { Codec } from './audio-packet.ts'
import { type Level, LevelMeter } from './level-meter.ts'

export interface StreamObservation {
  readonly packets: number
  /** Level of the last 500 ms; null for Opus, which is not decoded. */
  readonly level: Level | null
}

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
