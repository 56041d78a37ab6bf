import type { CallEnd } from '../port.ts'

/** A call as the exchange sees it. Times are monotonic milliseconds of the server's clock. */
export type CallState =
  /** Whether it may go ahead is being asked. */
  | { readonly kind: 'placing'; readonly sinceMs: number }
  /** It may; the line has not rung yet. */
  | { readonly kind: 'placed'; readonly sinceMs: number; readonly limitMs: number }
  | {
      readonly kind: 'ringing'
      readonly sinceMs: number
      readonly limitMs: number
      readonly audioConnected: boolean
    }
  | { readonly kind: 'answered'; readonly answeredAtMs: number; readonly limitMs: number }
  | { readonly kind: 'ended'; readonly answeredMs: number | null; readonly end: CallEnd }

export type CallStep =
  | { readonly kind: 'placed'; readonly atMs: number; readonly limitMs: number }
  | { readonly kind: 'rang'; readonly atMs: number }
  | { readonly kind: 'audio_connected' }
  | { readonly kind: 'answered'; readonly atMs: number }
  | { readonly kind: 'limit_moved'; readonly limitMs: number }
  | { readonly kind: 'ended'; readonly atMs: number; readonly end: CallEnd }

/**
 * The state after a step. A step that is late or does not fit leaves the very same state: an answer
 * counts only once audio flows, and an ended call stays as it ended.
 */
export function step(state: CallState, event: CallStep): CallState {
  if (state.kind === 'ended') return state
  switch (event.kind) {
    case 'placed':
      if (state.kind !== 'placing') return state
      return { kind: 'placed', sinceMs: event.atMs, limitMs: event.limitMs }
    case 'rang':
      if (state.kind !== 'placed') return state
      return { kind: 'ringing', sinceMs: event.atMs, limitMs: state.limitMs, audioConnected: false }
    case 'audio_connected':
      return state.kind === 'ringing' ? { ...state, audioConnected: true } : state
    case 'answered':
      if (state.kind !== 'ringing' || !state.audioConnected) return state
      return { kind: 'answered', answeredAtMs: event.atMs, limitMs: state.limitMs }
    case 'limit_moved':
      return state.kind === 'placing' ? state : { ...state, limitMs: event.limitMs }
    case 'ended':
      return { kind: 'ended', answeredMs: answeredMs(state, event.atMs), end: event.end }
    default:
      return event satisfies never
  }
}

/**
 * Whole milliseconds from answer to `nowMs`, rounded down and never above the limit; null when the
 * call was never answered.
 */
export function answeredMs(state: CallState, nowMs: number): number | null {
  if (state.kind === 'ended') return state.answeredMs
  if (state.kind !== 'answered') return null
  // A microsecond in hand, or binary fractions would turn 60,000 ms into 59,999.
  const elapsedMs = Math.floor(nowMs - state.answeredAtMs + 0.001)
  return Math.max(0, Math.min(elapsedMs, state.limitMs))
}

/** Signs of life from the caller. */
export interface Vitals {
  /** When the last packet of audio came; undefined before the first. */
  readonly heardAtMs: number | undefined
  /**
   * Whether packets have really stopped. Seen apart from the clock, so that a clock that leaps (a test's,
   * or after a stall) does not turn a talking caller into a lost one.
   */
  readonly quiet: boolean
  /** When the signalling socket was lost; undefined while there is one. */
  readonly signallingLostAtMs: number | undefined
}

export const deadlines = {
  /** For the answer whether a call may go ahead. */
  placingMs: 20_000,
  /** For the audio path to stand once the line rang, and for the line to ring at all. */
  connectingMs: 15_000,
  /** For anybody to answer. */
  ringingMs: 90_000,
  /**
   * Without a packet of audio in an answered call. The client notices a dead path, restarts ICE and gives
   * up some 35 s after the loss: until then it may come back, and a hole of 20 s is survived with room.
   */
  silenceMs: 45_000,
  /** Without a signalling socket in an answered call. The client gives up after 30 s as well. */
  signallingMs: 30_000,
  /** Without a packet, when the same person dials anew: they have left this call behind. */
  forsakenMs: 2000,
} as const

export interface Overdue {
  readonly end: CallEnd
  /** When it was due. */
  readonly dueAtMs: number
  /** When the call ended as far as its charge goes. */
  readonly endedAtMs: number
}

/** What ends the call by itself next, and when; it is overdue once `dueAtMs` has come. */
export function nextDeadline(state: CallState, vitals: Vitals): Overdue | undefined {
  switch (state.kind) {
    case 'placing':
      return due('failed', state.sinceMs + deadlines.placingMs)
    case 'placed':
      return due('failed', state.sinceMs + deadlines.connectingMs)
    case 'ringing':
      return state.audioConnected
        ? due('no_answer', state.sinceMs + deadlines.ringingMs)
        : due('failed', state.sinceMs + deadlines.connectingMs)
    case 'answered': {
      const candidates = [due('limit', state.answeredAtMs + state.limitMs)]
      const { quiet, signallingLostAtMs } = vitals
      const lastHeardMs = lastHeard(state, vitals)
      if (quiet) candidates.push(lost(lastHeardMs + deadlines.silenceMs, lastHeardMs))
      if (signallingLostAtMs !== undefined) {
        const dueAtMs = signallingLostAtMs + deadlines.signallingMs
        candidates.push(lost(dueAtMs, quiet ? lastHeardMs : dueAtMs))
      }
      return candidates.reduce((first, other) => (other.dueAtMs < first.dueAtMs ? other : first))
    }
    case 'ended':
      return undefined
    default:
      return state satisfies never
  }
}

/**
 * When the caller of this call was last heard, if that is so long ago that dialling anew means having left
 * it; undefined otherwise.
 */
export function forsakenSince(state: CallState, vitals: Vitals, nowMs: number): number | undefined {
  if (state.kind !== 'answered' || !vitals.quiet) return undefined
  const lastHeardMs = lastHeard(state, vitals)
  return nowMs - lastHeardMs >= deadlines.forsakenMs ? lastHeardMs : undefined
}

function lastHeard(state: Extract<CallState, { kind: 'answered' }>, { heardAtMs }: Vitals): number {
  return Math.max(state.answeredAtMs, heardAtMs ?? Number.NEGATIVE_INFINITY)
}

/** Nobody pays for the time in which we only waited: a caller who fell silent left when last heard. */
function lost(dueAtMs: number, endedAtMs: number): Overdue {
  return { end: 'connection_lost', dueAtMs, endedAtMs: Math.min(dueAtMs, endedAtMs) }
}

function due(end: CallEnd, atMs: number): Overdue {
  return { end, dueAtMs: atMs, endedAtMs: atMs }
}
