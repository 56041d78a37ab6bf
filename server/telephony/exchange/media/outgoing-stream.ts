import { type AudioPacket, type Codec, clockRateHz } from './audio-packet.ts'
import { frameMs } from './mulaw.ts'

export interface PacketNumbers {
  readonly sequenceNumber: number
  readonly timestamp: number
  readonly marker: boolean
}

type Run =
  | { readonly kind: 'own' }
  | {
      readonly kind: 'relayed'
      readonly codec: Codec
      readonly sequenceOffset: number
      readonly timestampOffset: number
      /** The source's first sequence number; undefined once earlier numbers are indistinguishable from later ones. */
      readonly firstSequenceNumber: number | undefined
    }

/** Packets of a run (over five minutes) after which no earlier packet can still arrive. */
const longestWatch = 0x4000

/**
 * Numbers the packets of one outgoing stream: our own mu-law frames, and relayed packets. Relayed gaps and disorder are
 * kept, so that the listener's browser conceals a loss as it would without us. Where the source changes, sequence numbers
 * continue without a gap, and timestamps advance by the elapsed time in the next codec's clock (RFC 7160).
 */
export class OutgoingStream {
  #sequenceNumber: number
  #timestamp: number
  #run: Run = { kind: 'own' }
  #frame: number | undefined

  /** @param start the first packet gets the numbers after these */
  constructor(start: { readonly sequenceNumber: number; readonly timestamp: number }) {
    this.#sequenceNumber = start.sequenceNumber
    this.#timestamp = start.timestamp
  }

  /** 20 ms of our own mu-law in the ticker's frame `frame`. */
  own(frame: number): PacketNumbers {
    const marker = this.#run.kind !== 'own' || this.#frame === undefined
    this.#advance('pcmu', frame)
    this.#run = { kind: 'own' }
    return { sequenceNumber: this.#sequenceNumber, timestamp: this.#timestamp, marker }
  }

  /** A packet relayed in the ticker's frame `frame`; undefined if it came too late to be sent. */
  relayed(packet: AudioPacket, frame: number): PacketNumbers | undefined {
    const run = this.#run
    if (run.kind === 'own' || run.codec !== packet.codec) {
      this.#advance(packet.codec, frame)
      this.#run = {
        kind: 'relayed',
        codec: packet.codec,
        sequenceOffset: this.#sequenceNumber - packet.sequenceNumber,
        timestampOffset: this.#timestamp - packet.timestamp,
        firstSequenceNumber: packet.sequenceNumber,
      }
      return { sequenceNumber: this.#sequenceNumber, timestamp: this.#timestamp, marker: true }
    }
    // Its number would collide with one sent before the run.
    const { firstSequenceNumber } = run
    if (firstSequenceNumber !== undefined) {
      if (isBefore(packet.sequenceNumber, firstSequenceNumber)) return undefined
      const sent = (packet.sequenceNumber - firstSequenceNumber) & 0xffff
      if (sent >= longestWatch) this.#run = { ...run, firstSequenceNumber: undefined }
    }
    const sequenceNumber = (packet.sequenceNumber + run.sequenceOffset) & 0xffff
    const timestamp = (packet.timestamp + run.timestampOffset) >>> 0
    if (!isBefore(sequenceNumber, this.#sequenceNumber)) {
      this.#sequenceNumber = sequenceNumber
      this.#timestamp = timestamp
      this.#frame = frame
    }
    return { sequenceNumber, timestamp, marker: packet.marker }
  }

  #advance(codec: Codec, frame: number): void {
    const frames = this.#frame === undefined ? 1 : Math.max(1, frame - this.#frame)
    this.#sequenceNumber = (this.#sequenceNumber + 1) & 0xffff
    this.#timestamp = (this.#timestamp + (frames * frameMs * clockRateHz[codec]) / 1000) >>> 0
    this.#frame = frame
  }
}

/** 16-bit arithmetic with wrap-around (RFC 3550, appendix A.1). */
function isBefore(sequenceNumber: number, other: number): boolean {
  return ((sequenceNumber - other) & 0x8000) !== 0
}
