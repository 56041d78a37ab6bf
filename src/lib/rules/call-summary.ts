import type { CallRecord } from '../api/calls.ts'
import { type CallEnding, endingText, isOrdinary } from './call-endings.ts'
import { formatLength } from './duration.ts'
import { formatCharge, usdToMicroUsd } from './money.ts'

/**
 * One line about a call that is over: why it ended, how long it was and what it cost, from the server's
 * record; the page's own view decides only who hung up. At most 80 characters, for two lines.
 */
export function callSummary(record: CallRecord, ending: CallEnding): string {
  if (record.answeredAt === null) {
    return cutOff(record) !== undefined
      ? `${cutOff(record)} Nothing was charged.`
      : endingText(whyUnanswered(record, ending))
  }
  return `${whyItEnded(record, ending)} Talked ${formatLength(record.seconds)}, ${chargeOf(record)}.`
}

/** A call that cost nothing says why, unless the end of the free call was already told. */
function chargeOf(record: CallRecord): string {
  const cost = usdToMicroUsd(record.cost)
  if (cost > 0) {
    const charged = `charged ${formatCharge(cost)}`
    if (record.credited === undefined) return charged
    const whole = record.credited >= record.cost
    return `${charged}, ${whole ? 'credited' : `${formatCharge(usdToMicroUsd(record.credited))} back`}`
  }
  if (!record.free || record.outcome === 'limit') return 'nothing charged'
  return record.purpose === 'test' ? 'free test call' : 'free call'
}

/** Why an answered call ended, in a sentence. */
export function whyItEnded(record: CallRecord, ending: CallEnding): string {
  const cut = cutOff(record)
  // Who hung up while the line was dead was not cut off: the server only never heard of it.
  const unheard = ending.kind === 'caller_hung_up' && record.outcome === 'connection_lost'
  if (cut !== undefined && !unheard) return cut
  if (record.outcome === 'limit') return whyLimited(record)
  if (ending.kind === 'caller_hung_up' || ending.kind === 'callee_hung_up') return endingText(ending)
  return 'Cut off: the connection was lost.'
}

function whyLimited({ cap, free, purpose, seconds }: CallRecord): string {
  switch (cap) {
    case 'call':
      return 'Your cap per call was reached.'
    case 'month':
      return 'Your monthly cap was reached.'
    case 'longest':
      return `The longest call, ${Math.round(seconds / 60)} min, was reached.`
    case undefined:
  }
  if (purpose === 'test') return 'The test call is over.'
  return free ? 'Your free call is over.' : 'Your credit ran out.'
}

function cutOff(record: CallRecord): string | undefined {
  if (record.outcome === 'interrupted') return 'Cut off: our service restarted.'
  return record.outcome === 'connection_lost' ? 'Cut off: the connection was lost.' : undefined
}

/**
 * Why nobody answered: the page often knows better, by who hung up or by a code of the network's. Where it only saw the line
 * end, which is all that some networks let it see, the record tells.
 */
export function whyUnanswered(record: CallRecord, ending: CallEnding): CallEnding {
  const sawTheEndAlone =
    ending.kind === 'no_answer' || ending.kind === 'callee_hung_up' || ending.kind === 'unavailable'
  if (isOrdinary(ending) && !sawTheEndAlone) return ending
  switch (record.outcome) {
    case 'busy':
    case 'declined':
    case 'no_answer':
      return { kind: record.outcome }
    case 'invalid_number':
      return { kind: 'unrecognised_number' }
    case 'cancelled':
      // Who cancels a call knows it.
      return ending.kind === 'no_answer' ? ending : { kind: 'cancelled' }
    case 'failed':
      return ending.kind === 'unavailable' ? ending : { kind: 'failed' }
    default:
      if (ending.kind === 'unavailable') return ending
      return { kind: sawTheEndAlone ? 'no_answer' : 'failed' }
  }
}
