import type { CarrierCause } from '#lib/calls/call-end.ts'
import { failure, success } from '#lib/result.ts'
import { isTestNumber } from '#server/telephony/exchange/test-numbers.ts'
import type { CallControl, CallInspection, Telephony, VerificationCall } from '#server/telephony/port.ts'

/**
 * A carrier without telephones: tests decide what happens to calls. For tests and benchmarks of money, which need no
 * audio; the local exchange has its own tests.
 */
export interface SimulatedNetwork extends Telephony {
  readonly hungUp: string[]
  readonly limits: { readonly callId: string; readonly limitMs: number }[]
  /** Verification calls, oldest first; each asks for the code 482915. */
  readonly verifications: VerificationCall[]
  takesVerifications: boolean
  /** Sets the answer of `inspect` for a call; other calls are unknown to it. */
  know(callId: string, inspection: CallInspection): void
}

export function createSimulatedNetwork(): SimulatedNetwork {
  const known = new Map<string, CallInspection>()
  const hungUp: string[] = []
  const network: SimulatedNetwork = {
    carriage: 'this_process',
    publicNumbers: ['+442079460000', '+46846500400'],
    hungUp,
    limits: [],
    verifications: [],
    takesVerifications: true,
    know: (callId, inspection) => known.set(callId, inspection),
    issueVoiceToken: async () => ({
      token: 'simulated',
      ttlSeconds: 600,
      route: { kind: 'exchange', path: '/exchange' },
    }),
    hangUp: async callId => {
      hungUp.push(callId)
    },
    verifyNumber: async call => {
      if (!network.takesVerifications) return failure('unavailable')
      network.verifications.push(call)
      return success({ code: '482915' })
    },
    setLimit: async (callId, limitMs) => {
      network.limits.push({ callId, limitMs })
    },
    isVerified: async () => false,
    forgetNumber: async () => success(undefined),
    inspect: async callId => known.get(callId) ?? { kind: 'unknown' },
    isTestNumber,
    close: async () => undefined,
  }
  return network
}

/** Places a call that must be accepted, and answers it. @returns its id */
export async function connectCall(
  control: CallControl,
  userId: string,
  to: string,
  sessionId?: string,
): Promise<{
  callId: string
  limitMs: number
  end: (answeredMs: number, end?: CarrierCause) => Promise<void>
}> {
  const placement = await control.place({ userId, sessionId, to, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(`the call was refused: ${placement.code}`)
  const { callId, limitMs } = placement
  await control.report({ kind: 'ringing', callId })
  await control.report({ kind: 'answered', callId })
  return {
    callId,
    limitMs,
    end: (answeredMs, end = 'caller_hung_up') => control.report({ kind: 'ended', callId, answeredMs, end }),
  }
}
