/** Telephone-event is left out on purpose: browsers' digits travel as signalling, and those of a trunk have a class of their own. */
export type Codec = 'pcmu' | 'opus'

export interface AudioPacket {
  readonly codec: Codec
  readonly payload: Buffer
  /** 16 bits. */
  readonly sequenceNumber: number
  /** 32 bits, in the codec's clock. */
  readonly timestamp: number
  readonly marker: boolean
}

/** RTP timestamp clocks (RFC 3551, RFC 7587). */
export const clockRateHz: Readonly<Record<Codec, number>> = { pcmu: 8000, opus: 48_000 }
