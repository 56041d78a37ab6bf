import type { CallPurpose } from '#lib/api/calls.ts'
import type { Clock } from '../../clock.ts'
import type { Random } from '../../random.ts'
import type { CallControl } from '../port.ts'
import type { Line } from './lines/line.ts'
import type { Logger } from './logger.ts'
import type { MediaAddress } from './media/media-address.ts'
import type { StreamObservation } from './media/stream-meter.ts'
import type { Ticker } from './media/ticker.ts'

/** What a call needs of its exchange. */
export interface CallServices {
  readonly address: MediaAddress
  readonly clock: Clock
  readonly random: Random
  readonly control: CallControl
  readonly log: Logger
  readonly ticker: Ticker
  readonly lineOf: (number: string) => Line
}

export interface Invitation {
  readonly userId: string
  /** The client's own name for the call, until it learns the real one. */
  readonly temporaryId: string
  readonly offer: string
  readonly to: string
  readonly callerId: string | undefined
  readonly attempt: string | undefined
  readonly purpose: CallPurpose
  readonly expectsFree: boolean
  /** What has to be settled before the call service is asked: a call that the caller left for this one. */
  readonly earlier: Promise<unknown>
}

/** Diagnostics of a call, kept for a while after its end. */
export interface CallObservation {
  /** Every digit received since the answer, in order. */
  readonly digits: string
  readonly received: StreamObservation
  readonly sent: StreamObservation
}
