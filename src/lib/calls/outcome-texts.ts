import type { CallBound, CallOutcome, CallRecord } from '../api/calls.ts'
import { unansweredTexts } from './end-reasons.ts'

/** How an ended call is described: a label for lists and the CSV file, and a sentence for the summary and the receipt. */
interface OutcomeTexts {
  readonly label: string
  readonly sentence: string
}

/** `stopped`: failed after the answer. `limit` is split by what the limit was. */
type PlainOutcome = Exclude<CallOutcome, 'limit'> | 'stopped'
type LimitKind = CallBound | 'test' | 'free' | 'credits'

const outcomeTexts: Readonly<Record<PlainOutcome, OutcomeTexts>> = {
  completed: { label: 'Completed', sentence: 'One of you hung up.' },
  no_answer: { label: 'No answer', sentence: unansweredTexts.no_answer },
  busy: { label: 'Busy', sentence: 'The line was busy.' },
  declined: { label: 'Declined', sentence: unansweredTexts.declined },
  cancelled: { label: 'Cancelled', sentence: unansweredTexts.cancelled },
  invalid_number: { label: 'Unrecognised number', sentence: "That number doesn't exist." },
  failed: { label: "Couldn't connect", sentence: unansweredTexts.failed },
  stopped: { label: 'Stopped', sentence: 'Calls from your account were stopped.' },
  connection_lost: { label: 'Connection lost', sentence: 'Cut off: the connection was lost.' },
  interrupted: { label: 'Cut off, our fault', sentence: 'Cut off: our service restarted.' },
}

const limitTexts: Readonly<Record<Exclude<LimitKind, 'longest'>, OutcomeTexts>> = {
  call: { label: 'Limit per call reached', sentence: 'You reached your limit per call.' },
  month: { label: 'Monthly limit reached', sentence: 'You reached your monthly limit.' },
  new_customer: {
    label: 'New account limit reached',
    sentence: 'You reached the limit for new accounts.',
  },
  test: { label: 'Test call over', sentence: 'The test call is over.' },
  free: { label: 'Free call used up', sentence: 'Your free call is over.' },
  credits: { label: 'Credits ran out', sentence: 'Your credits ran out.' },
}

function longestTexts(seconds: number): OutcomeTexts {
  return {
    label: 'Time limit reached',
    sentence: `Calls end after ${Math.round(seconds / 60)} minutes. Call again.`,
  }
}

function limitKindOf({ cap, purpose, free }: CallRecord): LimitKind {
  if (cap !== undefined) return cap
  if (purpose === 'test') return 'test'
  return free ? 'free' : 'credits'
}

function textsOf(call: CallRecord, outcome: CallOutcome): OutcomeTexts {
  if (outcome === 'failed' && call.answeredAt !== null) return outcomeTexts.stopped
  if (outcome !== 'limit') return outcomeTexts[outcome]
  const limit = limitKindOf(call)
  return limit === 'longest' ? longestTexts(call.seconds) : limitTexts[limit]
}

export function outcomeLabel(call: CallRecord): string {
  if (call.outcome === null) return call.state === 'answered' ? 'In Call' : 'Ringing'
  return textsOf(call, call.outcome).label
}

export function outcomeSentence(call: CallRecord): string {
  return call.outcome === null ? 'In progress.' : textsOf(call, call.outcome).sentence
}

/** For a call that the page saw break off, whatever the record says. */
export const lostSentence = outcomeTexts.connection_lost.sentence
