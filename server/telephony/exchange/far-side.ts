import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { Clock } from '../../process/clock.ts'
import type { BrowserSdp } from './browser-sdp.ts'
import type { EndpointCause } from './endpoints/endpoint.ts'
import type { LineTimers } from './line-timers.ts'
import type { Digit } from './media/clips.ts'
import type { StreamObservation } from './media/level-meter.ts'

/** What carries an admitted call on from the browser: an endpoint of the exchange, or a trunk. Used once. */
export interface FarSide {
  /** Milliseconds after which a call that does not ring fails. */
  readonly ringWithinMs: number
  /** Whether the browser has an answer to its offer. */
  readonly isOpen: boolean
  /** When the browser was last heard, in monotonic milliseconds; undefined before the first packet. */
  readonly heardAtMs: number | undefined
  /** Whether the browser sends nothing now. */
  readonly isQuiet: boolean
  /** Whether any sound of the callee has gone to the browser since the answer, silence included. */
  readonly hasPassedOn: boolean
  /** Whether any sound of the browser has come since the answer. Undefined where an answer waits for it. */
  readonly hasHeardCaller?: boolean | undefined
  observe(): { readonly received: StreamObservation; readonly sent: StreamObservation }
  /** Rings whoever is called. */
  begin(): void
  /** A key that the caller pressed in the answered call. */
  press(digit: Digit): void
  /** Real-time text from the browser in the answered call. Undefined where nobody can read it. */
  text?(message: RealTimeText): void
  /** Answers a later offer of the browser. @returns undefined if another has come since, or the call has ended */
  answer(offer: BrowserSdp): Promise<string | undefined>
  /** The call counts as answered. @param atMs since when, monotonic milliseconds */
  answered(atMs: number): void
  /** The limit was moved; milliseconds from the answer. */
  setLimit?(limitMs: number): void
  /** Every 20 ms. `frame` is the ticker's count. */
  tick(frame: number): void
  /** The call is over, whichever side ended it. Called once, last. */
  ended(end: CarrierCause): Promise<void>
  /**
   * How long the ended call was answered by a record that others keep: in milliseconds, null if it was not, undefined if there is
   * no record. May take half a minute. Undefined where nobody else keeps one.
   */
  recordedMs?(): Promise<number | null | undefined>
}

/** What a far side reports. None counts after the call's end. */
export interface FarSideEvents {
  /** It rings. @param sdp the answer to the browser's offer */
  readonly rang: (sdp: string) => void
  /** The offer cannot be answered. */
  readonly unusableOffer: (error: unknown) => void
  /** Sound flows from the browser. @param then runs with the time standing still */
  readonly connected: (then: () => void) => void
  /**
   * The callee answered.
   * @param billedFromMs since when a carrier bills the call, in monotonic milliseconds: it is answered since then, heard or not.
   *   Undefined: nobody bills it, so it is answered once sound flows
   */
  readonly answered: (billedFromMs?: number) => void
  /** Real-time text for the browser; dropped unless the call is answered. Undefined where there is no page. */
  readonly text?: (message: RealTimeText) => void
  /** @param atMs end of the charged time, monotonic milliseconds, if before now */
  readonly hungUp: (end: EndpointCause, atMs?: number) => void
}

export interface FarSideOptions {
  readonly callId: string
  /** E.164. */
  readonly to: string
  /** Number shown, E.164. */
  readonly from: string
  /** Milliseconds from the answer. */
  readonly limitMs: number
  /** What the user pays, micro-dollars a minute; of a free call what it would cost. */
  readonly rateMicroUsd: number
  readonly offer: BrowserSdp
  readonly clock: Clock
  readonly timers: LineTimers
  readonly events: FarSideEvents
}
