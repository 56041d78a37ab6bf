import type { CallRecord } from '#lib/api/calls.ts'

const capSentences = {
  call: 'Your cap for a call was reached.',
  month: 'Your monthly cap was reached.',
  new_customer: 'The most for your first days was reached.',
  longest: 'No call may last longer.',
} as const

const capTexts = {
  call: 'Cap per call reached',
  month: 'Monthly cap reached',
  new_customer: 'Limit of first days reached',
  longest: 'Longest call reached',
} as const

export function whyCallEnded(call: CallRecord): string {
  const answered = call.answeredAt !== null
  switch (call.outcome) {
    case null:
      return 'It goes on.'
    case 'completed':
      return 'One of you hung up.'
    case 'limit':
      if (call.cap !== undefined) return capSentences[call.cap]
      if (call.purpose === 'test') return 'A test call lasts no longer.'
      return call.free ? 'The free minutes were used up.' : 'The credit for it ran out.'
    case 'no_answer':
      return 'Nobody answered.'
    case 'busy':
      return 'The line was busy.'
    case 'declined':
      return 'They declined the call.'
    case 'cancelled':
      return 'You hung up before anybody answered.'
    case 'invalid_number':
      return 'There is no such number.'
    case 'failed':
      return answered ? 'Calls from your account were stopped.' : 'It could not be connected.'
    case 'connection_lost':
      return 'The connection to you was lost.'
    case 'interrupted':
      return 'A fault of ours cut it off.'
    default:
      return call.outcome satisfies never
  }
}

export function outcomeText(call: CallRecord): string {
  switch (call.outcome) {
    case null:
      return call.state === 'answered' ? 'In Call' : 'Ringing'
    case 'completed':
      return 'Completed'
    case 'limit':
      if (call.cap !== undefined) return capTexts[call.cap]
      if (call.purpose === 'test') return 'Test call over'
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
