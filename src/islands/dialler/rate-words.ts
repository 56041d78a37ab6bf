import { formatRate } from '#lib/rules/money.ts'
import type { Rate } from '#stores/rate.ts'
import type { Session } from '#stores/session.ts'

/** What follows the price: that it is only an estimate, or how long a newcomer talks for nothing. */
function remark(rate: Extract<Rate, { readonly microUsdPerMinute: number }>, newcomer: boolean): string {
  if (rate.kind === 'estimate') return ' (estimate)'
  return newcomer ? `, ${freeWords(rate.freeMinutes)}` : ''
}

/** How long a first call lasts for nothing (decision 20). */
function freeWords(minutes: number): string {
  return minutes === 0 ? 'no free call there' : `first ${minutes} min free`
}

/** A price in two pieces, the amount and what belongs to it; null while there is none to show. */
export function rateWords(rate: Rate, newcomer: boolean): readonly [amount: string, rest: string] | null {
  if (rate.kind !== 'known' && rate.kind !== 'estimate') return null
  return [formatRate(rate.microUsdPerMinute), ` per minute${remark(rate, newcomer)}`]
}

/** Whether the first call is known to be still free: visitors, and users who have it and may make it. */
export function isNewcomer(session: Session['status'], freeCall: boolean): boolean {
  return session === 'signed_out' || freeCall
}
