import type { CallCap } from '../api/calls.ts'
import { statusLineMax } from '../calls/status-line.ts'
import { latinDigits } from '../numbers/dialable.ts'
import { dollarsText, formatCharge } from './money.ts'
import { affordableMinutes } from './pricing.ts'
import { capFaults, limits } from './spending-texts.ts'

/** Min and max of a cap, USD in whole cents. */
export const minCapUsd = 0.01
export const maxCapUsd = 10_000

/** Micro-dollars; null: no cap. */
export interface Caps {
  readonly perCall: number | null
  readonly perMonth: number | null
}

/** Whole minutes that the caps let a call last, and which one limits it; infinite and null without a cap. */
export interface CapRoom {
  readonly minutes: number
  readonly cap: CallCap | null
}

/** `spentInMonth`: micro-dollars of other calls, with what running ones may still cost. `rateMicroUsd`: above 0. */
export function capRoom(caps: Caps, spentInMonth: number, rateMicroUsd: number): CapRoom {
  const endless = Number.POSITIVE_INFINITY
  const ofCall = caps.perCall === null ? endless : affordableMinutes(caps.perCall, rateMicroUsd)
  const ofMonth =
    caps.perMonth === null ? endless : affordableMinutes(caps.perMonth - spentInMonth, rateMicroUsd)
  if (ofCall === endless && ofMonth === endless) return { minutes: endless, cap: null }
  return ofMonth < ofCall ? { minutes: ofMonth, cap: 'month' } : { minutes: ofCall, cap: 'call' }
}

/** Calendar month in UTC, so that pages and the ledger agree. */
export function monthOf(moment: Date): { readonly from: Date; readonly to: Date } {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()]
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) }
}

/** Each has at most `statusLineMax` characters. The profile's name becomes a link where possible. */
export const spendingTexts = {
  callCap: (perCall: number, rateMicroUsd: number): string =>
    limits.callCap({ limit: formatCharge(perCall), rate: formatCharge(rateMicroUsd) }),
  get monthReached(): string {
    return limits.monthReached
  },
  monthCap: (left: number, rateMicroUsd: number): string =>
    limits.monthCap({ left: formatCharge(left), rate: formatCharge(rateMicroUsd) }),
  get monthHeld(): string {
    return limits.monthHeld
  },
  /** A country whose name is too long is `this country`. */
  locked: (country: string): string => {
    const text = limits.locked({ place: country })
    return text.length > statusLineMax ? limits.locked({ place: limits.thisCountry }) : text
  },
} as const

export const tooLittleText = (): string => capFaults.tooLittle({ min: dollarsText(minCapUsd.toFixed(2)) })
export const tooMuchText = (): string => capFaults.tooMuch({ max: dollarsText(maxCapUsd.toFixed(0)) })

export type TypedCap =
  | { readonly ok: true /** USD; null: no cap. */; readonly usd: number | null }
  | { readonly ok: false; readonly fault: string }

/** Reads a cap: `5`, `2.50`, `2,50`, `$5`, `٢٫٥٠`. Empty means no cap. */
export function readCap(text: string): TypedCap {
  const written = latinDigits(text.normalize('NFKC')).replace(/[\s$]/g, '').replace(/[,٫]/, '.')
  if (written === '') return { ok: true, usd: null }
  if (!/^\d{1,9}(\.\d{0,2})?$/.test(written)) return { ok: false, fault: capFaults.unreadable }
  const usd = Number(written)
  if (usd < minCapUsd) return { ok: false, fault: tooLittleText() }
  if (usd > maxCapUsd) return { ok: false, fault: tooMuchText() }
  return { ok: true, usd }
}
