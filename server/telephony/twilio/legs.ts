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
 * What became of a call, asked by its caller's leg. The telephone's leg decides, of which there is none before it is rung.
 * @throws TwilioUnavailable
 */
export async function inspectLegs(
  client: twilio.Twilio,
  callerLeg: string,
  clock: Pick<Clock, 'now'>,
): Promise<CallInspection> {
  const found = await ask('list the legs of a call', () =>
    client.calls.list({ parentCallSid: callerLeg, limit: 20, pageSize: 20 }),
  )
  const called = decisive(found.value)
  if (called !== undefined) return inspectionOf(called, clock)
  const caller = await ask('fetch a leg', () => client.calls(callerLeg).fetch(), 'unknown')
  if (caller === 'unknown') return { kind: 'unknown' }
  const state = legState(caller.value.status)
  if (state?.kind !== 'ended') return { kind: 'live', answeredMs: null }
  // Nobody was rung: the caller was gone before, or our answer did not arrive.
  const end = state.end === 'failed' ? 'failed' : 'cancelled'
  return { kind: 'ended', answeredMs: null, end }
}

/** Which leg tells of the call: the one that is talked through, or was for longest. */
function decisive(legs: readonly Leg[]): Leg | undefined {
  const talking = legs.find(leg => legState(leg.status)?.kind === 'answered')
  const seconds = (leg: Leg) => Number(leg.duration ?? 0)
  return talking ?? legs.toSorted((one, other) => seconds(other) - seconds(one))[0]
}

function inspectionOf(leg: Leg, clock: Pick<Clock, 'now'>): CallInspection {
  const state = legState(leg.status)
  switch (state?.kind) {
    case 'ended': {
      const answeredMs = state.answered ? talkedMs(Number(leg.duration ?? 0)) : null
      return { kind: 'ended', answeredMs, end: state.end }
    }
    case 'answered': {
      const sinceMs = leg.startTime === null ? 0 : clock.now().getTime() - leg.startTime.getTime()
      return { kind: 'live', answeredMs: Math.max(0, sinceMs) }
    }
    default:
      return { kind: 'live', answeredMs: null }
  }
}
