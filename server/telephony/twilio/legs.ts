import type twilio from 'twilio'
import type { Clock } from '../../process/clock.ts'
import type { CallInspection, LiveLegs } from '../port.ts'
import { ask } from './ask.ts'
import { legState, talkedMs } from './endings.ts'

interface Leg {
  readonly status: string
  /** Whole seconds; null while it is live. */
  readonly duration: string | null
  readonly startTime: Date | null
}

/** The callee's legs: none before ringing, and perhaps only some time after the end. @throws TwilioUnavailable */
export async function listTelephoneLegs(client: twilio.Twilio, callerLeg: string) {
  const found = await ask('list the legs of a call', () =>
    client.calls.list({ parentCallSid: callerLeg, limit: 20, pageSize: 20 }),
  )
  return found.value
}

const pageSize = 1000

/** Caller legs are in progress from the dialling on, callees' from the answer. @throws TwilioUnavailable */
export async function listLiveLegs(client: twilio.Twilio): Promise<LiveLegs> {
  const found = await ask('list the legs that go on', () =>
    client.calls.list({ status: 'in-progress', pageSize }),
  )
  const legs = new Set<string>()
  const answeredLegs = new Set<string>()
  for (const { sid, parentCallSid } of found.value) {
    if (parentCallSid == null || parentCallSid === '') legs.add(sid)
    else answeredLegs.add(parentCallSid)
  }
  return { legs, answeredLegs }
}

/** The caller leg; undefined if unknown. @throws TwilioUnavailable */
export async function fetchLeg(client: twilio.Twilio, sid: string) {
  const found = await ask('fetch a leg', () => client.calls(sid).fetch(), 'unknown')
  return found === 'unknown' ? undefined : found.value
}

/** The state of a call, by its caller leg. The callee's leg decides. @throws TwilioUnavailable */
export async function inspectLegs(
  client: twilio.Twilio,
  callerLeg: string,
  clock: Pick<Clock, 'now'>,
): Promise<CallInspection> {
  const called = decisive(await listTelephoneLegs(client, callerLeg))
  if (called !== undefined) return inspectionOf(called, clock)
  const caller = await fetchLeg(client, callerLeg)
  if (caller === undefined) return { kind: 'unknown' }
  const seconds = secondsOf(caller)
  const state = legState(caller.status, { seconds })
  if (state?.kind !== 'ended') return { kind: 'live', answeredMs: null }
  // The caller leg is answered only with the callee's, so the list lacks the callee's leg.
  if (state.answered && seconds !== 0) return { kind: 'over' }
  // Nothing rang: the caller had left already, or our answer did not arrive.
  const end = state.end === 'failed' ? 'failed' : 'cancelled'
  return { kind: 'ended', answeredMs: null, end }
}

function decisive(legs: readonly Leg[]): Leg | undefined {
  const answeredLeg = legs.find(leg => legState(leg.status)?.kind === 'answered')
  const length = (leg: Leg) => secondsOf(leg) ?? 0
  return answeredLeg ?? legs.toSorted((one, other) => length(other) - length(one))[0]
}

function secondsOf({ duration }: Leg): number | undefined {
  return duration === null || duration === '' ? undefined : Number(duration)
}

function inspectionOf(leg: Leg, clock: Pick<Clock, 'now'>): CallInspection {
  const seconds = secondsOf(leg)
  const state = legState(leg.status, { seconds })
  switch (state?.kind) {
    case 'ended':
      if (!state.answered) return { kind: 'ended', answeredMs: null, end: state.end }
      if (seconds === undefined) return { kind: 'over' }
      return { kind: 'ended', answeredMs: talkedMs(seconds), end: state.end }
    case 'answered': {
      const sinceMs = leg.startTime === null ? 0 : clock.now().getTime() - leg.startTime.getTime()
      return { kind: 'live', answeredMs: Math.max(0, sinceMs) }
    }
    default:
      return { kind: 'live', answeredMs: null }
  }
}
