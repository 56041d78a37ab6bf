import type { ReferralState } from '#lib/api/referrals.ts'

export const stateText: Readonly<Record<ReferralState, string>> = {
  joined: 'Joined',
  paid: 'Bought credits',
  returned: 'Payment returned',
  own: 'A card or device of yours',
}

/** Dates are in the visitor's own language and time zone. */
const days = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

export function day(time: string): string {
  return days.format(new Date(time))
}

/** `$5`, or `$5.50` where there are cents. */
export function shortUsd(usd: number): string {
  return `$${Number.isInteger(usd) ? usd : usd.toFixed(2)}`
}
