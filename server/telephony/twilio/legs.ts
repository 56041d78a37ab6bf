import type twilio from 'twilio'
import type { Clock } from '../../clock.ts'
import type { CallInspection } from '../port.ts'
import { ask } from './ask.ts'
import { legState, talkedMs } from './endings.ts'

/** As much of a leg as we read. */
interface Leg {
  readonly status: string
  /** Whole seconds; null while it goes on. */
  readonly duration: string | null
  readonly startTime: Date | null
}

/**
 * The telephone's legs of a call, asked by its caller's. There is none before it is rung, and one may be listed only some
 * time after its end.
 * @throws TwilioUnavailable
 */
export async function listTelephoneLegs(client: twilio.Twilio, callerLeg: string) {
  const found = await ask('list the legs of a call', () =>
    client.calls.list({ parentCallSid: callerLeg, limit: 20, pageSize: 20 }),
  )
  return found.value
}

/** The caller's leg; undefined for one that is not there. @throws TwilioUnavailable */
export async function fetchLeg(client: twilio.Twilio, sid: string) {
  const found = await ask('fetch a leg', () => client.calls(sid).fetch(), 'unknown')
  return found === 'unknown' ? undefined : found.value
}

/**
 * What became of a call, asked by its caller's leg. The telephone's leg decides.
 * @throws TwilioUnavailable
 */
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
  // A caller's leg is answered with the telephone's, which is then missing in the list.
  if (state.answered && seconds !== 0) return { kind: 'over' }
  // Nobody was rung: the caller was gone before, or our answer did not arrive.
  const end = state.end === 'failed' ? 'failed' : 'cancelled'
  return { kind: 'ended', answeredMs: null, end }
}

/** Which leg tells of the call: the one that is talked through, or was for longest. */
function decisive(legs: readonly Leg[]): Leg | undefined {
  const talking = legs.find(leg => legState(leg.status)?.kind === 'answered')
  const length = (leg: Leg) => secondsOf(leg) ?? 0
  return talking ?? legs.toSorted((one, other) => length(other) - length(one))[0]
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
