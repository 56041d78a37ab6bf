import type { CallRecord } from '../api/calls.ts'
import { type CallEnding, endingText, isOrdinary } from './call-endings.ts'
import { formatLength } from './duration.ts'
import { formatCharge, usdToMicroUsd } from './money.ts'

/**
 * One line about a call that is over: why it ended, how long it was and what it cost, from the server's
 * record; the page's own view decides only who hung up. At most 60 characters, for two short lines.
 */
export function callSummary(record: CallRecord, ending: CallEnding): string {
  if (record.answeredAt === null) {
    return cutOff(record) !== undefined
      ? `${cutOff(record)} Nothing was charged.`
      : endingText(unanswered(record, ending))
  }
  return `${whyItEnded(record, ending)} Talked ${formatLength(record.seconds)}, ${chargeOf(record)}.`
}

/** A call that cost nothing says why, unless the end of the free call was already told. */
function chargeOf(record: CallRecord): string {
  const cost = usdToMicroUsd(record.cost)
  if (cost > 0) return `charged ${formatCharge(cost)}`
  return record.free && record.outcome !== 'limit' ? 'free call' : 'nothing charged'
}

function whyItEnded(record: CallRecord, ending: CallEnding): string {
  const cut = cutOff(record)
  // Who hung up while the line was dead was not cut off: the server only never heard of it.
  const unheard = ending.kind === 'caller_hung_up' && record.outcome === 'connection_lost'
  if (cut !== undefined && !unheard) return cut
  if (record.outcome === 'limit') return record.free ? 'Your free call is over.' : 'Your credit ran out.'
  if (ending.kind === 'caller_hung_up' || ending.kind === 'callee_hung_up') return endingText(ending)
  return 'Cut off: the connection was lost.'
}

function cutOff(record: CallRecord): string | undefined {
  if (record.outcome === 'interrupted') return 'Cut off: our service restarted.'
  return record.outcome === 'connection_lost' ? 'Cut off: the connection was lost.' : undefined
}

/** The page often knows better why nobody answered; where it only lost the line, the record tells. */
function unanswered(record: CallRecord, ending: CallEnding): CallEnding {
  if (isOrdinary(ending) && ending.kind !== 'callee_hung_up' && ending.kind !== 'unavailable') return ending
  switch (record.outcome) {
    case 'busy':
    case 'declined':
    case 'no_answer':
    case 'cancelled':
      return { kind: record.outcome }
    case 'invalid_number':
      return { kind: 'unrecognised_number' }
    default:
      if (ending.kind === 'unavailable') return ending
      return { kind: ending.kind === 'callee_hung_up' ? 'no_answer' : 'failed' }
  }
}
