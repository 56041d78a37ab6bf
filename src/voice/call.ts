import type { EndReason } from '#lib/calls/end-reasons.ts'

export interface Callee {
  readonly e164: string
  readonly formatted: string
  /** Pauses and digits to send after the answer, such as `,,123#`; empty for none. */
  readonly extension: string
  readonly country: {
    readonly name: string
    readonly isoCode: string
    readonly emoji: string
    readonly dialCode: string
  }
}

/** One press of Call. `attempt` increases with each press, so that late events of an earlier call are recognised. */
interface Attempt {
  readonly attempt: number
  readonly callee: Callee
  /** The server's id of the call; null until the server has sent it. */
  readonly callId: string | null
  /** The page's own UUID for the attempt; null until the call is requested. */
  readonly attemptId: string | null
  /** Micro-dollars per minute: 0 if free, null while unknown. */
  readonly rateMicroUsd: number | null
}

interface Answered extends Attempt {
  /** Monotonic milliseconds; only differences are meaningful. */
  readonly answeredAtMs: number
  readonly muted: boolean
  /** Whether packets arrive from the callee; packets of silence count. */
  readonly receivingAudio: boolean
  readonly microphone: MicrophoneState
}

/**
 * `lost`: unplugged or taken away; `changed`: just replaced by another; `interrupted`: muted by the system, or the speaker is
 * kept from the call, and only a press brings them back.
 */
export type MicrophoneState = 'fine' | 'lost' | 'changed' | 'interrupted'

/** `signalling`: the connection to our server (audio may continue); `media`: the audio itself. */
export type Lost = 'signalling' | 'media'

export type Call =
  | { readonly state: 'idle' }
  /** Fetching the token and the microphone; nothing rings yet. */
  | ({ readonly state: 'preparing' } & Attempt)
  | ({ readonly state: 'ringing' } & Attempt)
  | ({ readonly state: 'open' } & Answered)
  | ({ readonly state: 'reconnecting'; readonly lost: Lost } & Answered)
  | ({
      readonly state: 'ended'
      readonly endReason: EndReason
      /** Milliseconds talked by this page's clock; null if never answered. The server's figure takes precedence. */
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
  | { readonly kind: 'ended'; readonly attempt: number; readonly endReason: EndReason; readonly atMs: number }

export const noCall: Call = { state: 'idle' }

/** Total: an event that does not fit the state returns the same value. Only a new attempt leaves `ended`. */
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
        : {
            ...call,
            state: 'open',
            answeredAtMs: event.atMs,
            muted: false,
            receivingAudio: true,
            microphone: 'fine',
          }
    case 'muted':
      return isAnswered(call) && call.muted !== event.muted ? { ...call, muted: event.muted } : call
    case 'sound':
      return isAnswered(call) && call.receivingAudio !== event.arriving
        ? { ...call, receivingAudio: event.arriving }
        : call
    case 'microphone':
      return isAnswered(call) && call.microphone !== event.state ? { ...call, microphone: event.state } : call
    case 'reconnecting':
      if (!isAnswered(call)) return call
      // Losing the service soon stops the audio as well, so the service stays the reported cause.
      return call.state === 'reconnecting' && (call.lost === 'signalling' || call.lost === event.lost)
        ? call
        : { ...call, state: 'reconnecting', lost: event.lost }
    case 'reconnected': {
      if (call.state !== 'reconnecting') return call
      const { lost: _, ...rest } = call
      // The reconnected path is assumed to carry audio until a watch says otherwise.
      return { ...rest, state: 'open', receivingAudio: true }
    }
    case 'ended': {
      const { attempt, callee, callId, attemptId, rateMicroUsd } = call
      const endReason = firstReason(call, event.endReason)
      const talkedMs = isAnswered(call) ? Math.max(0, event.atMs - call.answeredAtMs) : null
      return { state: 'ended', attempt, callee, callId, attemptId, rateMicroUsd, endReason, talkedMs }
    }
    default:
      return event satisfies never
  }
}

/** Without the service the audio fails as well, so report the first cause. */
function firstReason(call: LiveCall, endReason: EndReason): EndReason {
  const unreachable = call.state === 'reconnecting' && call.lost === 'signalling'
  const ofTheLine = endReason.kind === 'media_failed' || endReason.kind === 'connection_interrupted'
  return unreachable && ofTheLine ? { kind: 'connection_lost' } : endReason
}

function dial(call: Call, event: Extract<CallEvent, { readonly kind: 'dialled' }>): Call {
  const { attempt, callee } = event
  const mayStart = call.state === 'idle' || (call.state === 'ended' && attempt > call.attempt)
  if (!mayStart) return call
  return { state: 'preparing', attempt, callee, callId: null, attemptId: null, rateMicroUsd: null }
}

export function isLive(call: Call): call is LiveCall {
  return call.state !== 'idle' && call.state !== 'ended'
}

export function isAnswered(call: Call): call is AnsweredCall {
  return call.state === 'open' || call.state === 'reconnecting'
}

/** As the page says it (SPEC-4.10). */
export type CallStatus = 'disconnected' | 'ringing' | 'inCall'

/** Ringing from the press of Call; in a call also while reconnecting (PD-32). */
export function callStatus(call: Call): CallStatus {
  if (!isLive(call)) return 'disconnected'
  return isAnswered(call) ? 'inCall' : 'ringing'
}
