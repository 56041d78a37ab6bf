import { messages } from '../i18n/messages.ts'

/** How an ended call is described in lists and in the CSV file. `stopped`: failed after the answer. From `longest` on: limits. */
export const outcomeLabels = messages('outcome-labels', {
  completed: 'Completed',
  no_answer: 'No answer',
  busy: 'Busy',
  declined: 'Declined',
  cancelled: 'Cancelled',
  invalid_number: 'Unrecognised number',
  failed: "Couldn't connect",
  stopped: 'Stopped',
  connection_lost: 'Connection lost',
  interrupted: 'Cut off, our fault',
  longest: 'Time limit reached',
  call: 'Limit per call reached',
  month: 'Monthly limit reached',
  new_customer: 'New account limit reached',
  test: 'Test call over',
  free: 'Free call used up',
  credits: 'Credits ran out',
  ringing: 'Ringing',
  answered: 'In Call',
})

/** The same for the summary and the receipt. */
export const outcomeSentences = messages('outcome-sentences', {
  completed: 'One of you hung up.',
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  declined: 'The call was declined.',
  cancelled: 'You cancelled the call.',
  invalid_number: "That number doesn't exist.",
  failed: "The call couldn't be connected.",
  stopped: 'Calls from your account were stopped.',
  connection_lost: 'Cut off: the connection was lost.',
  interrupted: 'Cut off: our service restarted.',
  longest: 'Calls end after {minutes, plural, one {# minute} other {# minutes}}. Call again.',
  call: 'You reached your limit per call.',
  month: 'You reached your monthly limit.',
  new_customer: 'You reached the limit for new accounts.',
  test: 'The test call is over.',
  free: 'Your free call is over.',
  credits: 'Your credits ran out.',
  inProgress: 'In progress.',
})
