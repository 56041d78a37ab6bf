import { formatRate } from '#lib/money/money.ts'
import type { Session } from '#session/session.ts'
import { texts } from '../texts.ts'
import type { Rate } from './rate.ts'

/** The rate, that it is an estimate, and the length of the free first call (PD-20); null if there is none to show. */
export function rateText<Node>(
  rate: Rate,
  newcomer: boolean,
  price: (text: string) => Node,
): readonly (string | Node)[] | null {
  if (rate.kind !== 'known' && rate.kind !== 'estimate') return null
  const values = { rate: formatRate(rate.microUsdPerMinute), price }
  if (rate.kind === 'estimate') return texts.rateEstimate(values)
  if (!newcomer) return texts.rate(values)
  return rate.freeMinutes === 0
    ? texts.rateNotFree(values)
    : texts.rateFree({ ...values, minutes: rate.freeMinutes })
}

/** Whether the first call is known to be free: visitors, and users who have not used it. */
export function isNewcomer(session: Session['status'], freeCall: boolean): boolean {
  return session === 'signed_out' || freeCall
}
