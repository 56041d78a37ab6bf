import { type AudioPacket, type Codec, clockRateHz } from './audio-packet.ts'
import { frameMs } from './frames.ts'

/** The part of an RTP header that makes packets from several sources one stream. */
export interface PacketNumbers {
  readonly sequenceNumber: number
  readonly timestamp: number
  readonly marker: boolean
}

/** Packets of one source, sent without another in between. */
type Run =
  | { readonly kind: 'own' }
  | {
      readonly kind: 'relayed'
      readonly codec: Codec
      readonly sequenceOffset: number
      readonly timestampOffset: number
      /** The source's own number at which the run began, while one before it can still be told from one after. */
      readonly firstSequenceNumber: number | undefined
    }

/** After so many packets of a run (over five minutes) nothing from before it is under way any more. */
const longestWatch = 0x4000

/**
 * Numbers the packets of one outgoing stream: frames of mu-law that we make, and packets that we pass on.
 * Within a run of relayed packets gaps and disorder stay as they came, so that the listener's browser conceals
 * a loss as it would without us. Where the source changes, numbers go on without a hole and timestamps by the
 * time that passed, in the clock of the codec that follows (RFC 7160).
 */
export class OutgoingStream {
  #sequenceNumber: number
  #timestamp: number
  #run: Run = { kind: 'own' }
  /** The ticker's count at the last packet. */
  #frame: number | undefined

  /** The first packet bears the numbers after these. */
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

  /** A packet passed on in the ticker's frame `frame`; undefined for one that came too late to be sent. */
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
    // Its number would be one that is already taken by what was sent before the run.
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

/** In the arithmetic of 16-bit numbers that wrap around (RFC 3550, appendix A.1). */
function isBefore(sequenceNumber: number, other: number): boolean {
  return ((sequenceNumber - other) & 0x8000) !== 0
}
