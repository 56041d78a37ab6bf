import type { CallCap } from '../api/calls.ts'
import { formatCharge } from './money.ts'
import { affordableMinutes } from './pricing.ts'

/** Caps are whole cents, from one to this. USD. */
export const leastCapUsd = 0.01
export const mostCapUsd = 10_000

/** What a user lets calls spend. Micro-dollars; null: no cap. */
export interface Caps {
  readonly perCall: number | null
  readonly perMonth: number | null
}

/** How many minutes the caps let a call last, and which of them sets it; `cap` is null where there is none. */
export interface CapRoom {
  /** Whole minutes, since minutes are charged whole; without end where there is no cap. */
  readonly minutes: number
  readonly cap: CallCap | null
}

/**
 * The time that a user's caps leave one call.
 * @param spentInMonth micro-dollars that the month's other calls have cost and may cost yet
 * @param rateMicroUsd above 0
 */
export function capRoom(caps: Caps, spentInMonth: number, rateMicroUsd: number): CapRoom {
  const endless = Number.POSITIVE_INFINITY
  const ofCall = caps.perCall === null ? endless : affordableMinutes(caps.perCall, rateMicroUsd)
  const ofMonth =
    caps.perMonth === null ? endless : affordableMinutes(caps.perMonth - spentInMonth, rateMicroUsd)
  if (ofCall === endless && ofMonth === endless) return { minutes: endless, cap: null }
  return ofMonth < ofCall ? { minutes: ofMonth, cap: 'month' } : { minutes: ofCall, cap: 'call' }
}

/** The calendar month that a moment is in. Of UTC, so that it is the same on every page and in our books. */
export function monthOf(moment: Date): { readonly from: Date; readonly to: Date } {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()]
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) }
}

/** Characters; a longer name of a country would need a third line. */
const longestName = 22

/** What whoever calls reads about limits of their own, in two lines of a small screen. `your profile` is a link where one can be. */
export const spendingTexts = {
  callCap: (perCall: number, rateMicroUsd: number): string =>
    `Your cap for a call is ${formatCharge(perCall)}; a minute is ${formatCharge(rateMicroUsd)}. Change it in your profile.`,
  monthReached: 'Your monthly cap is reached. Change it in your profile.',
  monthCap: (left: number, rateMicroUsd: number): string =>
    `Your monthly cap leaves ${formatCharge(left)}; a minute is ${formatCharge(rateMicroUsd)}. Change it in your profile.`,
  monthHeld: 'Your other call may use up your monthly cap. Hang up there first.',
  locked: (country: string): string =>
    `You have locked calls to ${country.length > longestName ? 'this country' : country}. Unlock it in your profile.`,
} as const

export type TypedCap =
  | { readonly ok: true /** USD; null: no cap. */; readonly usd: number | null }
  | { readonly ok: false; readonly fault: string }

/** Reads a cap as people write it: `5`, `2.50`, `2,50`, `$5`. Nothing at all is no cap. */
export function readCap(text: string): TypedCap {
  const written = text.normalize('NFKC').replace(/[\s$]/g, '').replace(',', '.')
  if (written === '') return { ok: true, usd: null }
  if (!/^\d{1,9}(\.\d{0,2})?$/.test(written))
    return { ok: false, fault: 'Enter dollars and cents, such as 5 or 2.50.' }
  const usd = Number(written)
  if (usd < leastCapUsd) return { ok: false, fault: 'A cap is at least $0.01. Leave it empty for none.' }
  if (usd > mostCapUsd) return { ok: false, fault: 'A cap is at most $10000. Leave it empty for none.' }
  return { ok: true, usd }
}
