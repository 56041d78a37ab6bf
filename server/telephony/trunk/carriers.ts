import type { CarrierMedia } from './media-host.ts'

/** A carrier at the end of a trunk, as the operator's file describes it (`trunk-file.ts`). */
export interface Carrier {
  readonly name: string
  /** Its set in the edge's list. */
  readonly set: number
  /** SIP addresses that share its calls: `sip:198.51.100.7:5060;transport=udp`. */
  readonly addresses: readonly string[]
  /** Further IP addresses from which it sends requests. */
  readonly sources: readonly string[]
  /** Host in the SIP addresses of its calls. */
  readonly host: string
  /** For the digest that it asks for; undefined if it knows us by our address. */
  readonly credentials: { readonly user: string; readonly passwordFile: string } | undefined
  /** Its price list, imported by `npm run prices`. */
  readonly prices: string
  /** How many calls it takes at once, and how many a second. */
  readonly calls: number
  readonly callsPerSecond: number
  /** How it wants numbers: `+442079460000`, or without the plus and after a prefix of its own. */
  readonly numbers: { readonly plus: boolean; readonly prefix: string }
  /** Which numbers a call may show there: verified ones of users too, or only our public ones. */
  readonly callerIds: 'any' | 'ours'
  readonly media: CarrierMedia
  /** Whether it wants our signature of the number shown (STIR). */
  readonly signed: boolean
  /** Of 403, 408 and 480, those that it documents as its own failures. */
  readonly ownFailures: readonly number[]
}
