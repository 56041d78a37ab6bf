import type { CarrierCause } from '#lib/calls/call-end.ts'
import type { Clock } from '#server/process/clock.ts'
import type { CallInspection, CarrierEvent, Telephony } from '#server/telephony/port.ts'

/**
 * A simulated carrier whose calls behave like the exchange's: they ring, are answered, end at their limit, are
 * remembered afterwards, and die with the process. No telephones or audio. It emits its events without caring about
 * their delivery.
 */
export interface LivingNetwork extends Telephony {
  /** Starts a call that the call service admitted. */
  connect(callId: string, limitMs: number): void
  ring(callId: string): void
  answer(callId: string): void
  end(callId: string, end: CarrierCause): void
  /** Ends calls that have reached their limit, and calls that nobody answered in time. */
  enforceLimits(): void
  live(): readonly string[]
  /** Its process was killed: it forgets everything and reports nothing. */
  die(): void
}

/** Milliseconds after which a ringing call ends unanswered. */
const ringingMs = 90_000

type State =
  | { readonly kind: 'waiting'; readonly sinceMs: number; readonly limitMs: number }
  | { readonly kind: 'answered'; readonly atMs: number; readonly limitMs: number }
  | { readonly kind: 'ended'; readonly answeredMs: number | null; readonly end: CarrierCause }

export function createLivingNetwork(clock: Clock, report: (event: CarrierEvent) => void): LivingNetwork {
  const calls = new Map<string, State>()

  function finish(callId: string, end: CarrierCause): void {
    const state = calls.get(callId)
    if (state === undefined || state.kind === 'ended') return
    const answeredMs = lasted(state, clock)
    calls.set(callId, { kind: 'ended', answeredMs, end })
    report({ kind: 'ended', callId, answeredMs, end })
  }

  function enforceLimits(): void {
    for (const [callId, state] of calls) {
      if (state.kind === 'waiting' && clock.monotonicMs() - state.sinceMs >= ringingMs)
        finish(callId, 'no_answer')
      if (state.kind === 'answered' && clock.monotonicMs() - state.atMs >= state.limitMs)
        finish(callId, 'limit')
    }
  }

  return {
    connect: (callId, limitMs) =>
      calls.set(callId, { kind: 'waiting', sinceMs: clock.monotonicMs(), limitMs }),
    ring: callId => {
      if (calls.get(callId)?.kind === 'waiting') report({ kind: 'ringing', callId })
    },
    answer: callId => {
      const state = calls.get(callId)
      if (state?.kind !== 'waiting') return
      calls.set(callId, { kind: 'answered', atMs: clock.monotonicMs(), limitMs: state.limitMs })
      report({ kind: 'answered', callId })
    },
    end: (callId, end) => {
      enforceLimits()
      finish(callId, end)
    },
    enforceLimits,
    live: () => {
      enforceLimits()
      return [...calls].flatMap(([callId, state]) => (state.kind === 'ended' ? [] : [callId]))
    },
    die: () => calls.clear(),
    isTestNumber: () => false,
    carriage: 'this_process',
    publicNumbers: ['+442079460000'],
    forgetNumber: () => Promise.reject(new Error('nobody removes a number from a simulated network')),
    isVerified: async () => false,
    issueVoiceToken: () => Promise.reject(new Error('nobody asks a simulated network for a token')),
    verifyNumber: () => Promise.reject(new Error('nobody verifies a number through a simulated network')),
    hangUp: async (callId, why) => {
      enforceLimits()
      finish(callId, why === 'no_credits' ? 'limit' : 'failed')
    },
    setLimit: async (callId, limitMs) => {
      const state = calls.get(callId)
      if (state !== undefined && state.kind !== 'ended') calls.set(callId, { ...state, limitMs })
    },
    inspect: async (callId): Promise<CallInspection> => {
      enforceLimits()
      const state = calls.get(callId)
      if (state === undefined) return { kind: 'unknown' }
      if (state.kind === 'ended') return state
      return { kind: 'live', answeredMs: lasted(state, clock) }
    },
    close: async () => {
      for (const callId of calls.keys()) finish(callId, 'server_stopping')
    },
  }
}

/** Milliseconds since the answer, capped at the limit; null when unanswered. */
function lasted(state: Exclude<State, { kind: 'ended' }>, clock: Clock): number | null {
  return state.kind === 'waiting' ? null : Math.min(clock.monotonicMs() - state.atMs, state.limitMs)
}
