import type { CarrierMedia } from './media-host.ts'

/** A carrier at the end of a trunk. */
export interface Carrier {
  readonly name: string
  /** Its set in the edge's list. */
  readonly set: number
  /** Host in the SIP addresses of its calls. */
  readonly host: string
  /** How it wants numbers: `+442079460000`, or without the plus and after a prefix of its own. */
  readonly numbers: { readonly plus: boolean; readonly prefix: string }
  readonly media: CarrierMedia
  /** Whether it wants our signature of the number shown (STIR). */
  readonly signed: boolean
  /** Of 403, 408 and 480, those that it documents as its own failures. */
  readonly ownFailures: readonly number[]
}
