import type { CallPurpose } from '#lib/api/calls.ts'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { Result } from '#lib/result.ts'

/** The telephone network as the rest of the server sees it. Vendor words stop behind this file. */
export interface Telephony {
  /**
   * Who carries its calls. `this_process`: they live in this server's memory and end with it. `shared`: they run outside,
   * every process may ask about any of them, and none of them ends when a process does.
   */
  readonly carriage: 'this_process' | 'shared'
  /** A credential for this user's browser, and where it connects with it. */
  issueVoiceToken(userId: string): Promise<VoiceCredential>
  /** Ends a live call; its end arrives through `CallControl.report`. An unknown call is no error. */
  hangUp(callId: string, why: HangUpReason): Promise<void>
  /** Moves a live call's hard limit, counted from its answer. An unknown call is no error. */
  setLimit(callId: string, limitMs: number): Promise<void>
  /** What the network knows of a call, for reconciliation. @throws where it cannot be asked */
  inspect(callId: string): Promise<CallInspection>
  /**
   * Rings a number and asks whoever answers to key in a code, which the network makes up. What came of it
   * arrives through `CallControl.verificationEnded`.
   */
  verifyNumber(call: VerificationCall): Promise<Result<VerificationCode, VerificationFailure>>
  /** Whether the code of a `verifyNumber` was keyed in, on a shared network that may not have told. @throws where it cannot be asked */
  isVerified(call: VerificationCall): Promise<boolean>
  /** No user has this number, E.164 with the plus, as their caller ID any more. One that is not known is no error. */
  forgetNumber(number: string): Promise<Result<undefined, 'unavailable'>>
  /** Whether a number, E.164 with the plus, is the network's own, for trying it out: it rings at nobody's. */
  isTestNumber(number: string): boolean
  /** Ends every call that this process carries, and reports each one's end before it resolves. */
  close(): Promise<void>
}

export interface VoiceCredential {
  readonly token: string
  readonly ttlSeconds: number
  readonly route: VoiceRoute
}

export interface VerificationCall {
  /** Names the call when its end is told. */
  readonly verificationId: string
  /** E.164 with the plus. */
  readonly number: string
}

/**
 * Why a number is not rung for its code. `unavailable`: not now; `not_verifiable`: the network will never; `lost`: no answer
 * came, so that it may be rung all the same, with a code that nobody can read.
 */
export type VerificationFailure =
  | 'unavailable'
  | 'lost'
  | 'not_verifiable'
  | Extract<RefusalCode, 'invalid_number' | 'unsupported_destination'>

export interface VerificationCode {
  /** Digits, for the page that asked. */
  readonly code: string
}

/** `already_settled`: the books hold the call for ended, so it must not go on; `limit`: it ran past its own. */
export type HangUpReason = 'no_credits' | 'call_blocked' | 'already_settled' | 'limit'

export type CallInspection =
  | { readonly kind: 'live'; readonly answeredMs: number | null }
  | { readonly kind: 'ended'; readonly answeredMs: number | null; readonly end: CallEnd }
  /** It is over, and a shared network does not say yet whether it was answered, or for how long. */
  | { readonly kind: 'over' }
  | { readonly kind: 'unknown' }

/** What a shared network's adapter has to know of the books: outside, calls have names of their own. */
export interface CarrierBooks {
  /** The caller's leg of a call. */
  legOf(callId: string): Promise<string | undefined>
  /** The call of a caller's leg, while the books hold it for live. */
  liveCallOf(leg: string): Promise<string | undefined>
  /** Whether any user has verified this number. */
  isCallerId(number: string): Promise<boolean>
}

/** What the telephone network asks and tells us. One implementation: the call service. */
export interface CallControl {
  /** Asked once per attempt, before anything rings. Never throws for an expected refusal. */
  place(attempt: CallAttempt): Promise<Placement>
  /**
   * Events of one call arrive in any order, each any number of times. The network waits for none of them
   * before it carries audio. On a shared network any of them may be lost; else `ended` must arrive.
   */
  report(event: CarrierEvent): Promise<void>
  /**
   * Whether a user's browser may try its line now. Asked once for each such call: it reaches nobody, lasts seconds, and
   * is neither placed nor reported.
   */
  admitLineCheck(userId: string): Promise<boolean>
  /** A call of `Telephony.verifyNumber` is decided. Told at least once. */
  verificationEnded(end: VerificationEnd): Promise<void>
}

export interface VerificationEnd {
  readonly verificationId: string
  readonly outcome: VerificationOutcome
}

/** `wrong_code`: as often as the network lets people try; `no_code`: answered, and nothing complete came. */
export type VerificationOutcome =
  | 'verified'
  | 'wrong_code'
  | 'no_code'
  | 'hung_up'
  | 'declined'
  | 'busy'
  | 'no_answer'
  | 'failed'

export interface CallAttempt {
  readonly userId: string
  /** As the browser sent it, unchecked. */
  readonly to: string
  readonly callerId: string | undefined
  /** The page's own name for it, as the browser sent it, unchecked: a UUID, or it is passed over. */
  readonly attempt?: string | undefined
  /** As the browser sent it, and checked like everything else that it says. An ordinary call unless it is told. */
  readonly purpose?: CallPurpose
  /** The page has told its caller that this call is free: then it is that, or refused. */
  readonly expectsFree?: boolean
  /** What a shared network calls the caller's leg. The same one told twice is one attempt, and gets one answer. */
  readonly leg?: string
}

export type Placement =
  | {
      readonly kind: 'connect'
      readonly callId: string
      /** E.164 with the plus. */
      readonly to: string
      /** E.164 of the verified caller ID, or undefined for the public number. */
      readonly from: string | undefined
      /** Hard limit counted from the answer: the dead-man's switch that the balance covers. */
      readonly limitMs: number
    }
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly message: string }

export type RefusalCode =
  | 'invalid_number'
  | 'unsupported_destination'
  | 'emergency_number'
  | 'no_credits'
  | 'call_blocked'
  | 'email_unverified'
  | 'too_many_calls'
  | 'caller_id_not_verified'
  | 'free_call_limit'
  | 'not_free'
  | 'call_limit'
  | 'rate_limit'
  | 'destination_paused'
  | 'destination_locked'
  | 'call_cap'
  | 'month_cap'
  | 'test_call'
  | 'unavailable'

export type CarrierEvent =
  | { readonly kind: 'ringing'; readonly callId: string }
  | { readonly kind: 'answered'; readonly callId: string }
  /** A shared network says that it is over, and not how: it is to be asked. */
  | { readonly kind: 'over'; readonly callId: string }
  | {
      readonly kind: 'ended'
      readonly callId: string
      /** Milliseconds from answer to the end, capped at the limit; null when never answered. */
      readonly answeredMs: number | null
      readonly end: CallEnd
      /** Whether anything was passed on from the other end after the answer; left out where the network does not say. */
      readonly heard?: boolean | undefined
    }

/**
 * Why a call ended, in the field's words. `limit` is the hard limit or a hang-up for lack of credit; `hung_up` is a call
 * that was put down or cut, on a network that does not say by whom.
 */
export type CallEnd =
  | 'hung_up'
  | 'caller_hung_up'
  | 'callee_hung_up'
  | 'limit'
  | 'blocked'
  | 'no_answer'
  | 'busy'
  | 'declined'
  | 'cancelled'
  | 'invalid_number'
  | 'connection_lost'
  | 'server_stopping'
  | 'failed'
