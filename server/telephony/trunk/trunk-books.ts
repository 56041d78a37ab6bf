/**
 * What became of a call at one carrier. `answered`: it was. `unanswered`: the carrier reached the callee's network. `failed`: the
 * carrier's own failure. `abandoned`: the caller left before anything rang. `not_placed`: the edge or we could not, which
 * says nothing of the carrier.
 */
export type AttemptOutcome = 'answered' | 'unanswered' | 'failed' | 'abandoned' | 'not_placed'

export interface CarrierAttempt {
  readonly callId: string
  /** Counts the carriers tried for this call, from 0. */
  readonly attempt: number
  /** Its name in the trunk file. */
  readonly carrier: string
  /** By its price list, a minute. */
  readonly costMicroUsd: number
  readonly beganAt: Date
  readonly outcome: AttemptOutcome
}

/** How a carrier did over some hours. */
export interface CarrierResults {
  readonly carrier: string
  /** All that were placed. */
  readonly attempts: number
  readonly answered: number
  /** Answered calls whose sound was measured. */
  readonly measured: number
  /** Mean opinion score of these, 1 to 5; undefined without any. */
  readonly mos: number | undefined
}

/** Where attempts are recorded, for all processes. */
export interface TrunkBooks {
  /** Once per attempt. @throws when the database is unavailable */
  record(attempt: CarrierAttempt): Promise<void>
  /** Results of the attempts that began since then. @throws when the database is unavailable */
  resultsSince(since: Date): Promise<readonly CarrierResults[]>
}
