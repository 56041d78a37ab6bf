import type { CallPurpose } from '#lib/api/calls.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import type { CallControl } from '../port.ts'
import type { FarSide, FarSideOptions } from './far-side.ts'
import type { Logger } from './logger.ts'
import type { StreamObservation } from './media/level-meter.ts'
import type { Ticker } from './media/ticker.ts'

export interface CallServices {
  readonly clock: Clock
  readonly random: Random
  readonly control: CallControl
  readonly log: Logger
  readonly ticker: Ticker
  /** Begins nothing yet. */
  readonly farSide: (options: FarSideOptions) => FarSide
}

export interface Invitation {
  readonly userId: string
  /** From the voice token; undefined if it names none. */
  readonly sessionId: string | undefined
  /** The client's id for the call, until it gets the real one. */
  readonly temporaryId: string
  readonly offer: string
  readonly to: string
  readonly callerId: string | undefined
  readonly attempt: string | undefined
  readonly purpose: CallPurpose
  readonly expectsFree: boolean
  readonly expectsRateMicroUsd: number | undefined
  /** Must settle before the call service is asked: the end of an abandoned call. */
  readonly earlier: Promise<unknown>
}

export interface CallObservation {
  readonly digits: string
  readonly received: StreamObservation
  readonly sent: StreamObservation
}
