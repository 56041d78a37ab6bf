import type { CallBound, CallOutcome, CallRecord } from '../api/calls.ts'
import { outcomeLabels, outcomeSentences } from './outcome-texts.ts'

type LimitKind = CallBound | 'test' | 'free' | 'credits'
type OutcomeKind = Exclude<CallOutcome, 'limit'> | 'stopped' | LimitKind

function limitKindOf({ cap, purpose, free }: CallRecord): LimitKind {
  if (cap !== undefined) return cap
  if (purpose === 'test') return 'test'
  return free ? 'free' : 'credits'
}

function kindOf(call: CallRecord, outcome: CallOutcome): OutcomeKind {
  if (outcome === 'failed' && call.answeredAt !== null) return 'stopped'
  return outcome === 'limit' ? limitKindOf(call) : outcome
}

/** For lists and the CSV file. */
export function outcomeLabel(call: CallRecord): string {
  if (call.outcome === null) return outcomeLabels[call.state === 'answered' ? 'answered' : 'ringing']
  return outcomeLabels[kindOf(call, call.outcome)]
}

/** For the summary and the receipt. */
export function outcomeSentence(call: CallRecord): string {
  if (call.outcome === null) return outcomeSentences.inProgress
  const kind = kindOf(call, call.outcome)
  return kind === 'longest'
    ? outcomeSentences.longest({ minutes: Math.round(call.seconds / 60) })
    : outcomeSentences[kind]
}
