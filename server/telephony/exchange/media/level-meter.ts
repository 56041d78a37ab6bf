import type { Codec } from './audio-packet.ts'
import { energyOf, rmsAt0Dbm0 } from './mulaw.ts'

export interface Level {
  /** Root mean square of the linear samples, 0 to 32124. */
  readonly rms: number
  /** Decibels relative to the digital milliwatt; -90 stands for silence. */
  readonly dbm0: number
}

const windowPackets = 25
export const silenceDbm0 = -90

/** Measures the last 25 packets: 500 ms at 20 ms each. */
export class LevelMeter {
  #packets = 0
  readonly #energies = new Float64Array(windowPackets)
  readonly #samples = new Float64Array(windowPackets)

  get packets(): number {
    return this.#packets
  }

  add(payload: Uint8Array): void {
    let energy = 0
    for (const octet of payload) energy += energyOf[octet] ?? 0
    const place = this.#packets++ % windowPackets
    this.#energies[place] = energy
    this.#samples[place] = payload.length
  }

  level(): Level {
    const samples = this.#samples.reduce((sum, count) => sum + count, 0)
    const energy = this.#energies.reduce((sum, part) => sum + part, 0)
    const rms = samples === 0 ? 0 : Math.sqrt(energy / samples)
    const dbm0 = rms === 0 ? silenceDbm0 : Math.max(silenceDbm0, 20 * Math.log10(rms / rmsAt0Dbm0))
    return { rms, dbm0 }
  }
}

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
