import type { CallPurpose } from '#lib/api/calls.ts'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { VerificationOutcome } from '#lib/api/verification.ts'
import type { CarrierCause, HangUpReason } from '#lib/calls/call-end.ts'
import type { Result } from '#lib/result.ts'

/** The telephone network as the rest of the server sees it. Vendor words stop behind this file. */
export interface Telephony {
  /** `this_process`: calls live in our memory and end with it. `shared`: at a carrier that every process can ask. */
  readonly carriage: 'this_process' | 'shared'
  /** Our numbers that calls may show, E.164, at least one. The first is used unless another makes a call cheaper. */
  readonly publicNumbers: readonly string[]
  /** @param sessionId recorded in each call placed with the credential; undefined if the access token names none */
  issueVoiceToken(userId: string, sessionId?: string): Promise<VoiceCredential>
  /** Ends a live call; its end arrives through `CallControl.report`. Ignores an unknown call. */
  hangUp(callId: string, why: HangUpReason): Promise<void>
  /** Moves a live call's hard limit, counted from its answer. Ignores an unknown call. */
  setLimit(callId: string, limitMs: number): Promise<void>
  /**
   * The carrier's record of a call, for reconciliation. May end a call of a process that is gone: nobody could hang it up.
   * @throws when the carrier is unavailable
   */
  inspect(callId: string): Promise<CallInspection>
  /** All live calls of a shared network, in a few requests. @throws when the carrier is unavailable */
  listLive?(): Promise<LiveLegs>
  /** Asks whoever answers to key in a code of the carrier's. Outcome: `CallControl.verificationEnded`. */
  verifyNumber(call: NumberVerification): Promise<Result<VerificationCode, VerificationFailure>>
  /** For a shared network, whose outcome event may be lost. @throws when the carrier is unavailable */
  isVerified(call: VerificationCall): Promise<boolean>
  /** Deletes a number, E.164, that no user has as caller ID any more. Ignores an unknown number. */
  forgetNumber(number: string): Promise<Result<undefined, 'unavailable'>>
  /** Whether a number, E.164, is one of the network's own test numbers, which reach no telephone. */
  isTestNumber(number: string): boolean
  /** Ends every call that this process carries, and reports each end before it resolves. */
  close(): Promise<void>
}

/** Caller legs, by the carrier's ids (`carrier_leg`). May lag by seconds. */
export interface LiveLegs {
  readonly legs: ReadonlySet<string>
  readonly answeredLegs: ReadonlySet<string>
}

export interface VoiceCredential {
  readonly token: string
  readonly ttlSeconds: number
  readonly route: VoiceRoute
}

export interface VerificationCall {
  readonly verificationId: string
  readonly number: string
}

export interface NumberVerification extends VerificationCall {
  /** What a user would pay, micro-dollars a minute. No carrier may cost more. */
  readonly rateMicroUsd: number
}

/**
 * `unavailable`: not now. `not_verifiable`: the carrier never will. `lost`: no answer came, so the number may ring all
 * the same, with a code that nobody can read.
 */
export type VerificationFailure =
  | 'unavailable'
  | 'lost'
  | 'not_verifiable'
  | Extract<RejectionCode, 'invalid_number' | 'unsupported_destination'>

export interface VerificationCode {
  readonly code: string
}

export type CallInspection =
  | { readonly kind: 'live'; readonly answeredMs: number | null }
  | { readonly kind: 'ended'; readonly answeredMs: number | null; readonly end: CarrierCause }
  /** Over, but a shared network cannot say yet whether it was answered, or for how long. */
  | { readonly kind: 'over' }
  | { readonly kind: 'unknown' }

/** Lookups that a shared network's adapter needs, since the carrier has its own ids. */
export interface CarrierBooks {
  legOf(callId: string): Promise<string | undefined>
  liveCallOf(leg: string): Promise<string | undefined>
  isCallerId(number: string): Promise<boolean>
}

/** What the telephone network asks of and reports to the server. One implementation: the call service. */
export interface CallControl {
  /** Called once per attempt, before anything rings. Never throws for an expected rejection. */
  place(attempt: CallAttempt): Promise<Placement>
  /** Events come in any order, once or more. A shared network may lose some; the exchange always delivers `ended`. */
  report(event: CarrierEvent): Promise<void>
  /** Whether a browser may check its connection now. Called once per check, which is neither placed nor reported. */
  admitLineCheck(userId: string, sessionId?: string): Promise<boolean>
  /** A call of `Telephony.verifyNumber` is decided. Called at least once. */
  verificationEnded(end: VerificationEnd): Promise<void>
  /** Progress of a call of `Telephony.verifyNumber`. Only a hint: a network may report none of it. */
  verificationProgressed(progress: VerificationProgress): Promise<void>
}

export interface VerificationEnd {
  readonly verificationId: string
  readonly outcome: VerificationOutcome
}

/** `wrong_code`: a wrong code was keyed in, and another may be. */
export interface VerificationProgress {
  readonly verificationId: string
  readonly state: 'answered' | 'wrong_code'
}

export interface CallAttempt {
  readonly userId: string
  /** From the voice token: no call is placed once this session has ended. Undefined in older tokens. */
  readonly sessionId?: string | undefined
  /** As the browser sent it, unchecked. */
  readonly to: string
  readonly callerId: string | undefined
  /** The page's UUID for the attempt, unchecked; anything but a UUID is ignored. */
  readonly attempt?: string | undefined
  /** Claimed by the browser, and checked. Default: an ordinary call. */
  readonly purpose?: CallPurpose
  /** The page shows this call as free: it must be free, or be rejected. */
  readonly expectsFree?: boolean
  /** The rate that the page showed, in micro-dollars per minute: the call costs no more, or is rejected. */
  readonly expectsRateMicroUsd?: number | undefined
  /** A shared network's id of the caller leg. Repeating it is the same attempt, with the same answer. */
  readonly leg?: string
}

export type Placement =
  | {
      readonly kind: 'connect'
      readonly callId: string
      readonly to: string
      /** Number shown, E.164: the verified caller ID, or one of `publicNumbers`. */
      readonly from: string
      /** Hard limit counted from the answer: the time that the balance covers. */
      readonly limitMs: number
      /** What the user pays, micro-dollars a minute; of a free call what it would cost. No carrier may cost more. */
      readonly rateMicroUsd: number
    }
  | { readonly kind: 'refuse'; readonly code: RejectionCode; readonly message: string }

export type RejectionCode =
  | 'invalid_number'
  | 'unsupported_destination'
  | 'emergency_number'
  | 'no_credits'
  | 'call_blocked'
  | 'signed_out'
  | 'email_unverified'
  | 'too_many_calls'
  | 'caller_id_not_verified'
  | 'free_call_limit'
  | 'not_free'
  | 'price_changed'
  | 'call_limit'
  | 'rate_limit'
  | 'destination_paused'
  | 'destination_locked'
  | 'call_cap'
  | 'month_cap'
  | 'new_customer_cap'
  | 'test_call'
  | 'unavailable'

export type CarrierEvent =
  | { readonly kind: 'ringing'; readonly callId: string }
  | { readonly kind: 'answered'; readonly callId: string }
  /** A shared network reports the call over, but not how it ended: it must be polled. */
  | { readonly kind: 'over'; readonly callId: string }
  | {
      readonly kind: 'ended'
      readonly callId: string
      /** Milliseconds from answer to end, capped at the limit; null when never answered. */
      readonly answeredMs: number | null
      readonly end: CarrierCause
      /** Whether any packet of the callee, even silence, was passed on after the answer; undefined if unknown. */
      readonly heard?: boolean | undefined
      /** Whether the caller's browser sent any sound after the answer; undefined if unknown. */
      readonly callerHeard?: boolean | undefined
    }
  /** What others than the reporter of `ended` wrote down of the call, at most once, after its end. Milliseconds, null: no answer */
  | { readonly kind: 'recorded'; readonly callId: string; readonly answeredMs: number | null }
