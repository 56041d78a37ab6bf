import type { CarrierCause } from '#lib/calls/call-end.ts'

/** A call as the exchange sees it. Times are monotonic milliseconds of the server's clock. */
export type CallState =
  | { readonly kind: 'placing'; readonly sinceMs: number }
  /** Admitted; not ringing yet. */
  | {
      readonly kind: 'placed'
      readonly sinceMs: number
      readonly limitMs: number
      readonly ringWithinMs: number
    }
  | {
      readonly kind: 'ringing'
      readonly sinceMs: number
      readonly limitMs: number
      readonly audioConnected: boolean
    }
  | {
      readonly kind: 'answered'
      readonly answeredAtMs: number
      readonly limitMs: number
      /** A carrier charges us for every second until the call ends there. */
      readonly billed: boolean
    }
  | { readonly kind: 'ended'; readonly answeredMs: number | null; readonly end: CarrierCause }

export type CallStep =
  | {
      readonly kind: 'placed'
      readonly atMs: number
      readonly limitMs: number
      readonly ringWithinMs: number
    }
  | { readonly kind: 'rang'; readonly atMs: number }
  | { readonly kind: 'audio_connected' }
  | { readonly kind: 'answered'; readonly atMs: number; readonly billed: boolean }
  | { readonly kind: 'limit_moved'; readonly limitMs: number }
  | { readonly kind: 'ended'; readonly atMs: number; readonly end: CarrierCause }

/**
 * A late or unfitting step returns the same object: an ended call stays so, and an answer that nobody bills counts only once
 * audio flows. One that a carrier bills counts whether anything rang or is heard.
 */
export function step(state: CallState, event: CallStep): CallState {
  if (state.kind === 'ended') return state
  switch (event.kind) {
    case 'placed':
      if (state.kind !== 'placing') return state
      return {
        kind: 'placed',
        sinceMs: event.atMs,
        limitMs: event.limitMs,
        ringWithinMs: event.ringWithinMs,
      }
    case 'rang':
      if (state.kind !== 'placed') return state
      return { kind: 'ringing', sinceMs: event.atMs, limitMs: state.limitMs, audioConnected: false }
    case 'audio_connected':
      return state.kind === 'ringing' ? { ...state, audioConnected: true } : state
    case 'answered':
      if (!mayBeAnswered(state, event.billed)) return state
      return {
        kind: 'answered',
        answeredAtMs: event.atMs,
        limitMs: state.limitMs,
        billed: event.billed,
      }
    case 'limit_moved':
      return state.kind === 'placing' ? state : { ...state, limitMs: event.limitMs }
    case 'ended':
      return { kind: 'ended', answeredMs: answeredMs(state, event.atMs), end: event.end }
    default:
      return event satisfies never
  }
}

function mayBeAnswered(
  state: CallState,
  billed: boolean,
): state is Extract<CallState, { kind: 'placed' | 'ringing' }> {
  if (state.kind === 'ringing') return billed || state.audioConnected
  return state.kind === 'placed' && billed
}

/** Whole milliseconds from answer to `nowMs`, rounded down and never above the limit; null when never answered. */
export function answeredMs(state: CallState, nowMs: number): number | null {
  if (state.kind === 'ended') return state.answeredMs
  if (state.kind !== 'answered') return null
  // One microsecond of tolerance, since binary fractions would turn 60,000 ms into 59,999.
  const elapsedMs = Math.floor(nowMs - state.answeredAtMs + 0.001)
  return Math.max(0, Math.min(elapsedMs, state.limitMs))
}

export interface Vitals {
  /** When the last audio packet came; undefined before the first. */
  readonly heardAtMs: number | undefined
  /** Without packets for real: measured without the clock, which may jump in a test or after a stall. */
  readonly quiet: boolean
  /** When the signalling socket was lost; undefined while there is one. */
  readonly signallingLostAtMs: number | undefined
}

export const deadlines = {
  /** For the admission. */
  placingMs: 20_000,
  /** From ringing to connected audio. */
  connectingMs: 15_000,
  /** For the answer. */
  ringingMs: 90_000,
  /** Without an audio packet in an answered call. Clients restart ICE, and give up some 35 s after the loss. */
  silenceMs: 45_000,
  /** Without a signalling socket in an answered call. The client gives up after 30 s too. */
  signallingMs: 30_000,
  /** Without an audio packet, when the same user places a new call: the old one is abandoned. */
  forsakenMs: 2000,
} as const

export interface Overdue {
  readonly end: CarrierCause
  readonly dueAtMs: number
  /** End of the charged time. */
  readonly endedAtMs: number
}

/** The next automatic end; overdue from `dueAtMs` on. */
export function nextDeadline(state: CallState, vitals: Vitals): Overdue | undefined {
  switch (state.kind) {
    case 'placing':
      return due('service_failed', state.sinceMs + deadlines.placingMs)
    case 'placed':
      return due('failed', state.sinceMs + state.ringWithinMs)
    case 'ringing':
      return state.audioConnected
        ? due('no_answer', state.sinceMs + deadlines.ringingMs)
        : due('failed', state.sinceMs + deadlines.connectingMs)
    case 'answered': {
      const candidates = [due('limit', state.answeredAtMs + state.limitMs)]
      const { quiet, signallingLostAtMs } = vitals
      const lastAudioMs = lastHeard(state, vitals)
      const lost = (dueAtMs: number) =>
        connectionLost(dueAtMs, quiet && !state.billed ? lastAudioMs : dueAtMs)
      if (quiet) candidates.push(lost(lastAudioMs + deadlines.silenceMs))
      if (signallingLostAtMs !== undefined) candidates.push(lost(signallingLostAtMs + deadlines.signallingMs))
      return candidates.reduce((first, other) => (other.dueAtMs < first.dueAtMs ? other : first))
    }
    case 'ended':
      return undefined
    default:
      return state satisfies never
  }
}

/**
 * The end of the charged time, if the caller was last heard so long ago that a new call means this one is abandoned;
 * undefined otherwise.
 */
export function forsakenAt(state: CallState, vitals: Vitals, nowMs: number): number | undefined {
  if (state.kind !== 'answered' || !vitals.quiet) return undefined
  const lastAudioMs = lastHeard(state, vitals)
  if (nowMs - lastAudioMs < deadlines.forsakenMs) return undefined
  return state.billed ? nowMs : lastAudioMs
}

function lastHeard(state: Extract<CallState, { kind: 'answered' }>, { heardAtMs }: Vitals): number {
  return Math.max(state.answeredAtMs, heardAtMs ?? Number.NEGATIVE_INFINITY)
}

/** Where no carrier charges us, waiting time is not charged: a caller who fell silent left when last heard. */
function connectionLost(dueAtMs: number, endedAtMs: number): Overdue {
  return { end: 'connection_lost', dueAtMs, endedAtMs: Math.min(dueAtMs, endedAtMs) }
}

function due(end: CarrierCause, atMs: number): Overdue {
  return { end, dueAtMs: atMs, endedAtMs: atMs }
}
