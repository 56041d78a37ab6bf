import type { CallRecord } from '../api/calls.ts'
import { formatCharge, usdToMicroUsd } from '../money/money.ts'
import { formatLength } from './duration.ts'
import { type EndReason, endReasonText, isOrdinary, nothingCharged } from './end-reasons.ts'

/** By the server's record; only who hung up comes from the page. Max 80 characters, for two lines. */
export function callSummary(record: CallRecord, endReason: EndReason): string {
  if (record.answeredAt === null) {
    return cutOff(record) !== undefined
      ? `${cutOff(record)} ${nothingCharged}`
      : endReasonText(whyUnanswered(record, endReason))
  }
  return `${whyItEnded(record, endReason)} Talked ${formatLength(record.seconds)}, ${chargeOf(record)}.`
}

/** A call without a charge says why, unless the end of the free call already did. */
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

export function whyItEnded(record: CallRecord, endReason: EndReason): string {
  const cut = cutOff(record)
  // A user who hung up on a dead connection was not cut off; the server just never received the hang-up.
  const unheard = endReason.kind === 'caller_hung_up' && record.outcome === 'connection_lost'
  if (cut !== undefined && !unheard) return cut
  if (record.outcome === 'limit') return whyLimited(record)
  if (endReason.kind === 'caller_hung_up' || endReason.kind === 'callee_hung_up')
    return endReasonText(endReason)
  return 'Cut off: the connection was lost.'
}

function whyLimited({ cap, free, purpose, seconds }: CallRecord): string {
  switch (cap) {
    case 'call':
      return 'Your cap per call was reached.'
    case 'month':
      return 'Your monthly cap was reached.'
    case 'new_customer':
      return 'The most for your first days was reached.'
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

/** The page often knows more than the record, unless it saw only the connection end, as with some carriers. */
export function whyUnanswered(record: CallRecord, endReason: EndReason): EndReason {
  const onlyPageSawEnd =
    endReason.kind === 'no_answer' || endReason.kind === 'callee_hung_up' || endReason.kind === 'unavailable'
  if (isOrdinary(endReason) && !onlyPageSawEnd) return endReason
  switch (record.outcome) {
    case 'busy':
    case 'declined':
    case 'no_answer':
      return { kind: record.outcome }
    case 'invalid_number':
      return { kind: 'unrecognised_number' }
    case 'cancelled':
      // If the user had cancelled, the page would know.
      return endReason.kind === 'no_answer' ? endReason : { kind: 'cancelled' }
    case 'failed':
      return endReason.kind === 'unavailable' ? endReason : { kind: 'failed' }
    default:
      if (endReason.kind === 'unavailable') return endReason
      return { kind: onlyPageSawEnd ? 'no_answer' : 'failed' }
  }
}
