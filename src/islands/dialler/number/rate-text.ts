import { formatRate } from '#lib/money/money.ts'
import type { Session } from '#session/session.ts'
import type { Rate } from './rate.ts'

/** What follows the price: that it is an estimate, or the length of the free first call. */
function remark(rate: Extract<Rate, { readonly microUsdPerMinute: number }>, newcomer: boolean): string {
  if (rate.kind === 'estimate') return ' (estimate)'
  return newcomer ? `, ${freeMinutesText(rate.freeMinutes)}` : ''
}

/** Length of the free first call (PD-20). */
function freeMinutesText(minutes: number): string {
  return minutes === 0 ? 'no free call there' : `first ${minutes} min free`
}

/** The price and the rest; null if there is none to show. */
export function rateText(rate: Rate, newcomer: boolean): readonly [price: string, rest: string] | null {
  if (rate.kind !== 'known' && rate.kind !== 'estimate') return null
  return [formatRate(rate.microUsdPerMinute), ` per minute${remark(rate, newcomer)}`]
}

/** Whether the first call is known to be free: visitors, and users who have not used it. */
export function isNewcomer(session: Session['status'], freeCall: boolean): boolean {
  return session === 'signed_out' || freeCall
}
