import type { CallRecord } from '../api/calls.ts'

/** How a call ended, or how far it is, in the few words of a list. */
export function outcomeText(call: CallRecord): string {
  switch (call.outcome) {
    case null:
      return call.state === 'answered' ? 'In Call' : 'Ringing'
    case 'completed':
      return 'Completed'
    case 'limit':
      return call.free ? 'Free call used up' : 'Credit ran out'
    case 'no_answer':
      return 'No answer'
    case 'busy':
      return 'Busy'
    case 'declined':
      return 'Declined'
    case 'cancelled':
      return 'Cancelled'
    case 'invalid_number':
      return 'Unrecognised number'
    case 'failed':
      return 'Could not connect'
    case 'connection_lost':
      return 'Connection lost'
    case 'interrupted':
      return 'Cut off by a fault of ours'
    default:
      return call.outcome satisfies never
  }
}
