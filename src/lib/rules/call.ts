import type { CallEnding } from './call-endings.ts'

/** Whom a call goes to, as the page shows it. */
export interface Callee {
  /** E.164 with the plus. */
  readonly e164: string
  /** The same number, spaced for reading. */
  readonly formatted: string
  /** An extension: pauses and digits that are sent once the call is answered, such as `,,123#`; empty for none. */
  readonly extension: string
  readonly country: {
    readonly name: string
    readonly isoCode: string
    readonly emoji: string
    /** With the plus. */
    readonly dialCode: string
  }
}

/** One press of Call. `attempt` grows by one with each, so that an earlier call's late events are known. */
interface Attempt {
  readonly attempt: number
  readonly callee: Callee
  /** The server's id of the call, once it has told it. */
  readonly callId: string | null
  /** What the page calls it to the server, a UUID, once it is asked for there. */
  readonly attemptId: string | null
  /** Micro-dollars a minute that it costs: 0 when it is free, null while that is not known here. */
  readonly rateMicroUsd: number | null
}

interface Answered extends Attempt {
  /** Monotonic milliseconds; only differences mean anything. */
  readonly answeredAtMs: number
  readonly muted: boolean
  /** Whether sound comes from the other end; silence is sound as well, nothing at all is not. */
  readonly hears: boolean
  /** `lost`: unplugged; `changed`: another one has just taken its place. */
  readonly microphone: MicrophoneState
}

export type MicrophoneState = 'fine' | 'lost' | 'changed'

/** What was lost: the line to our server (sound may go on), or the sound itself. */
export type Lost = 'signalling' | 'media'

export type Call =
  | { readonly state: 'idle' }
  /** The token and the microphone are being fetched; nothing rings yet. */
  | ({ readonly state: 'preparing' } & Attempt)
  | ({ readonly state: 'ringing' } & Attempt)
  | ({ readonly state: 'open' } & Answered)
  | ({ readonly state: 'reconnecting'; readonly lost: Lost } & Answered)
  | ({
      readonly state: 'ended'
      readonly ending: CallEnding
      /** Milliseconds talked by this page's clock, or null when never answered. The server's count rules. */
      readonly talkedMs: number | null
    } & Attempt)

export type LiveCall = Exclude<Call, { readonly state: 'idle' | 'ended' }>
export type AnsweredCall = Extract<Call, { readonly state: 'open' | 'reconnecting' }>

export type CallEvent =
  | { readonly kind: 'dialled'; readonly attempt: number; readonly callee: Callee }
  | { readonly kind: 'connecting'; readonly attempt: number; readonly attemptId: string }
  | { readonly kind: 'identified'; readonly attempt: number; readonly callId: string }
  | { readonly kind: 'priced'; readonly attempt: number; readonly rateMicroUsd: number | null }
  | { readonly kind: 'ringing'; readonly attempt: number }
  | { readonly kind: 'answered'; readonly attempt: number; readonly atMs: number }
  | { readonly kind: 'muted'; readonly attempt: number; readonly muted: boolean }
  | { readonly kind: 'sound'; readonly attempt: number; readonly arriving: boolean }
  | { readonly kind: 'microphone'; readonly attempt: number; readonly state: MicrophoneState }
  | { readonly kind: 'reconnecting'; readonly attempt: number; readonly lost: Lost }
  | { readonly kind: 'reconnected'; readonly attempt: number }
  | { readonly kind: 'ended'; readonly attempt: number; readonly ending: CallEnding; readonly atMs: number }

export const noCall: Call = { state: 'idle' }

/**
 * The call's state machine. Total: an event that does not belong to the state (late, doubled, or of another
 * attempt) returns the very same value, and only a new attempt leaves `ended`.
 */
export function step(call: Call, event: CallEvent): Call {
  if (event.kind === 'dialled') return dial(call, event)
  if (!isLive(call) || event.attempt !== call.attempt) return call
  switch (event.kind) {
    case 'connecting':
      return call.attemptId === null ? { ...call, attemptId: event.attemptId } : call
    case 'identified':
      return call.callId === event.callId ? call : { ...call, callId: event.callId }
    case 'priced':
      return call.rateMicroUsd === event.rateMicroUsd ? call : { ...call, rateMicroUsd: event.rateMicroUsd }
    case 'ringing':
      return call.state === 'preparing' ? { ...call, state: 'ringing' } : call
    case 'answered':
      return isAnswered(call)
        ? call
        : { ...call, state: 'open', answeredAtMs: event.atMs, muted: false, hears: true, microphone: 'fine' }
    case 'muted':
      return isAnswered(call) && call.muted !== event.muted ? { ...call, muted: event.muted } : call
    case 'sound':
      return isAnswered(call) && call.hears !== event.arriving ? { ...call, hears: event.arriving } : call
    case 'microphone':
      return isAnswered(call) && call.microphone !== event.state ? { ...call, microphone: event.state } : call
    case 'reconnecting':
      if (!isAnswered(call)) return call
      // Without the service the sound is soon gone as well; the service is what is missing.
      return call.state === 'reconnecting' && (call.lost === 'signalling' || call.lost === event.lost)
        ? call
        : { ...call, state: 'reconnecting', lost: event.lost }
    case 'reconnected': {
      if (call.state !== 'reconnecting') return call
      const { lost: _, ...rest } = call
      // Whether sound comes over the mended path is seen afresh.
      return { ...rest, state: 'open', hears: true }
    }
    case 'ended':
      return {
        state: 'ended',
        attempt: call.attempt,
        callee: call.callee,
        callId: call.callId,
        attemptId: call.attemptId,
        rateMicroUsd: call.rateMicroUsd,
        ending: endingOf(call, event.ending),
        talkedMs: isAnswered(call) ? Math.max(0, event.atMs - call.answeredAtMs) : null,
      }
    default:
      return event satisfies never
  }
}

/** While the service cannot be reached the sound fails as well: what is to be told is the first of the two. */
function endingOf(call: LiveCall, ending: CallEnding): CallEnding {
  const unreachable = call.state === 'reconnecting' && call.lost === 'signalling'
  const ofTheLine = ending.kind === 'media_failed' || ending.kind === 'connection_interrupted'
  return unreachable && ofTheLine ? { kind: 'connection_lost' } : ending
}

function dial(call: Call, event: Extract<CallEvent, { readonly kind: 'dialled' }>): Call {
  const mayStart = call.state === 'idle' || (call.state === 'ended' && event.attempt > call.attempt)
  return mayStart
    ? {
        state: 'preparing',
        attempt: event.attempt,
        callee: event.callee,
        callId: null,
        attemptId: null,
        rateMicroUsd: null,
      }
    : call
}

export function isLive(call: Call): call is LiveCall {
  return call.state !== 'idle' && call.state !== 'ended'
}

export function isAnswered(call: Call): call is AnsweredCall {
  return call.state === 'open' || call.state === 'reconnecting'
}

export type CallStatus = 'Call Disconnected' | 'Ringing' | 'In Call'

/** The specification's three texts: 'Ringing' from the press of Call, 'In Call' also while reconnecting (decision 32). */
export function callStatus(call: Call): CallStatus {
  switch (call.state) {
    case 'idle':
    case 'ended':
      return 'Call Disconnected'
    case 'preparing':
    case 'ringing':
      return 'Ringing'
    case 'open':
    case 'reconnecting':
      return 'In Call'
    default:
      return call satisfies never
  }
}
