import type { VerificationOutcome } from '#lib/api/verification.ts'
import type { CarrierCause } from '#lib/calls/call-end.ts'

export type LegState =
  | { readonly kind: 'placed' | 'ringing' | 'answered' }
  | { readonly kind: 'ended'; readonly answered: boolean; readonly end: CarrierCause }

/** By the SIP response of a call that was not put through (RFC 3261, 21). */
const causeBySipCode: ReadonlyMap<number, CarrierCause> = new Map([
  [404, 'invalid_number'],
  [410, 'invalid_number'],
  [484, 'invalid_number'],
  [604, 'invalid_number'],
  [480, 'no_answer'],
  [408, 'no_answer'],
  [486, 'busy'],
  [600, 'busy'],
  [603, 'declined'],
  [607, 'declined'],
  [487, 'cancelled'],
])

/**
 * @param sipCode the telephone network's last response, if reported
 * @param seconds duration of a completed leg, if reported
 * @returns undefined for an unknown status
 */
export function legState(
  status: string,
  {
    sipCode,
    seconds = 0,
  }: { readonly sipCode?: number | undefined; readonly seconds?: number | undefined } = {},
): LegState | undefined {
  const unanswered = (end: CarrierCause): LegState => ({ kind: 'ended', answered: false, end })
  const byCode = sipCode === undefined ? undefined : causeBySipCode.get(sipCode)
  switch (status) {
    case 'queued':
    case 'initiated':
      return { kind: 'placed' }
    case 'ringing':
      return { kind: 'ringing' }
    case 'in-progress':
    case 'answered':
      return { kind: 'answered' }
    case 'completed':
      return { kind: 'ended', answered: true, end: 'hung_up' }
    case 'busy':
      return unanswered(byCode === 'declined' ? 'declined' : 'busy')
    case 'no-answer':
      return unanswered('no_answer')
    case 'canceled':
      return unanswered('cancelled')
    case 'failed':
      // Failed after it was answered: the call was cut.
      if (seconds > 0) return { kind: 'ended', answered: true, end: 'connection_lost' }
      return unanswered(byCode ?? 'failed')
    default:
      return undefined
  }
}

/** Milliseconds, at least 1: a call rounded down to 0 seconds was answered, and its first minute had begun (PD-18). */
export function talkedMs(seconds: number): number {
  return Math.max(1, seconds * 1000)
}

/** @param callStatus of the verification call, the vendor's only hint at why it failed */
export function verificationOutcome(succeeded: boolean, callStatus: string | undefined): VerificationOutcome {
  if (succeeded) return 'verified'
  switch (callStatus) {
    case 'busy':
      return 'busy'
    case 'no-answer':
      return 'no_answer'
    case 'canceled':
    case 'failed':
      return 'failed'
    default:
      return 'no_code'
  }
}
