import type { CallEnd, VerificationOutcome } from '../port.ts'

/** How far a leg of a call is, in our words. */
export type LegState =
  | { readonly kind: 'placed' | 'ringing' | 'answered' }
  | { readonly kind: 'ended'; readonly answered: boolean; readonly end: CallEnd }

/** What SIP says of a call that was not put through (RFC 3261, 21). */
const endBySipCode: ReadonlyMap<number, CallEnd> = new Map([
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
 * @param status as the vendor calls it, in a callback or in a call's resource; undefined for one that we do not know
 * @param sipCode the last answer of the telephone network, where it is told
 * @param seconds how long a leg that is over was talked through, where that is told
 */
export function legState(
  status: string,
  {
    sipCode,
    seconds = 0,
  }: { readonly sipCode?: number | undefined; readonly seconds?: number | undefined } = {},
): LegState | undefined {
  const unanswered = (end: CallEnd): LegState => ({ kind: 'ended', answered: false, end })
  const byCode = sipCode === undefined ? undefined : endBySipCode.get(sipCode)
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
      // Talked through first, it was cut.
      if (seconds > 0) return { kind: 'ended', answered: true, end: 'connection_lost' }
      return unanswered(byCode ?? 'failed')
    default:
      return undefined
  }
}

/**
 * Milliseconds from answer to end. A call that was answered for less than half a second was answered all the same, and
 * so its first minute had begun (decision 18).
 */
export function talkedMs(seconds: number): number {
  return Math.max(1, seconds * 1000)
}

/** @param callStatus of the call that asked for the code: the vendor says no more about why it failed */
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
