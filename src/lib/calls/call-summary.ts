import type { CallRecord } from '../api/calls.ts'
import { formatCharge, usdToMicroUsd } from '../money/money.ts'
import { restartTexts, talkedTexts } from './call-summary-texts.ts'
import { formatLength } from './duration.ts'
import { chargeTexts } from './end-reason-texts.ts'
import { type EndReason, endReasonText, isOrdinary } from './end-reasons.ts'
import { outcomeSentences } from './outcome-texts.ts'
import { outcomeSentence } from './outcomes.ts'

/** By the server's record; only who hung up comes from the page. Max `statusLineMax` characters. */
export function callSummary(record: CallRecord, endReason: EndReason): string {
  const restart = restartSummary(record)
  if (restart !== null) return restart
  if (record.answeredAt !== null) return `${whyItEnded(record, endReason)} ${talkedText(record)}`
  return record.outcome === 'interrupted' || record.outcome === 'connection_lost'
    ? `${outcomeSentence(record)} ${chargeTexts.nothing}`
    : endReasonText(whyUnanswered(record, endReason))
}

const chargeOf = (usd: number) => formatCharge(usdToMicroUsd(usd))

/** Our own restart, and what it gave back (ADR-63). */
function restartSummary({ outcome, credited, cost, seconds }: CallRecord): string | null {
  if (outcome !== 'interrupted' || credited === undefined) return null
  const refund = chargeOf(credited)
  return credited < cost
    ? restartTexts.charged({ charge: chargeOf(cost), refund })
    : restartTexts.refunded({ length: formatLength(seconds), refund })
}

/** A call without a charge says why, unless the end of the free call already did. */
function talkedText({ seconds, cost, credited, free, outcome, purpose }: CallRecord): string {
  const length = formatLength(seconds)
  if (usdToMicroUsd(cost) > 0) {
    const charge = chargeOf(cost)
    if (credited === undefined) return talkedTexts.charged({ length, charge })
    return credited >= cost
      ? talkedTexts.refunded({ length, charge })
      : talkedTexts.partlyRefunded({ length, charge, refund: chargeOf(credited) })
  }
  if (!free || outcome === 'limit') return talkedTexts.nothing({ length })
  return purpose === 'test' ? talkedTexts.freeTest({ length }) : talkedTexts.free({ length })
}

export function whyItEnded(record: CallRecord, endReason: EndReason): string {
  const { kind } = endReason
  switch (record.outcome) {
    case 'limit':
    case 'interrupted':
      return outcomeSentence(record)
    case 'connection_lost':
      // A user who hung up on a dead connection was not cut off; the server just never received the hang-up.
      return kind === 'caller_hung_up' ? endReasonText(endReason) : outcomeSentence(record)
    case 'completed':
    case 'failed':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'cancelled':
    case 'invalid_number':
    case null:
      return kind === 'caller_hung_up' || kind === 'callee_hung_up'
        ? endReasonText(endReason)
        : outcomeSentences.connection_lost
    default:
      return record.outcome satisfies never
  }
}

/** The page often knows more than the record, unless it saw only the connection end, as with some carriers. */
export function whyUnanswered(record: CallRecord, endReason: EndReason): EndReason {
  const { kind } = endReason
  const onlyPageSawEnd = kind === 'no_answer' || kind === 'callee_hung_up' || kind === 'unavailable'
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
      return kind === 'no_answer' ? endReason : { kind: 'cancelled' }
    case 'failed':
      return kind === 'unavailable' || kind === 'service_failed' ? endReason : { kind: 'failed' }
    case 'completed':
    case 'limit':
    case 'connection_lost':
    case 'interrupted':
    case null:
      if (kind === 'unavailable') return endReason
      return { kind: onlyPageSawEnd ? 'no_answer' : 'failed' }
    default:
      return record.outcome satisfies never
  }
}
