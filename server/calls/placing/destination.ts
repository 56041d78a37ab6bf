import { defaultCountry } from '#lib/numbers/countries.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import type { RejectionCode } from '../../telephony/port.ts'
import { type PriceTools, priceCall } from './price.ts'

export interface Destination {
  readonly to: string
  readonly isoCode: string
  readonly rateMicroUsd: number
  /** The part added by the user's own caller ID. */
  readonly surchargeMicroUsd: number
  /** Number shown, E.164 with the plus. */
  readonly shown: string
  /** The tariff's prefix: digits without the plus. */
  readonly prefix: string
}

export type NoDestination = Extract<
  RejectionCode,
  'invalid_number' | 'emergency_number' | 'unsupported_destination'
>

/** Prices a typed number, or says why we do not call it. @param callerId the user's own number; undefined: one of ours */
export function findDestination(
  tools: PriceTools,
  typed: string,
  callerId?: string,
): Destination | NoDestination {
  const verdict = parseNumber(typed, defaultCountry)
  switch (verdict.kind) {
    case 'empty':
    case 'too_short':
    case 'impossible':
      return 'invalid_number'
    case 'emergency':
      return 'emergency_number'
    case 'unsupported':
    case 'refused':
      return 'unsupported_destination'
    case 'ok': {
      const price = priceCall(tools, verdict.e164, callerId)
      if (price === undefined) return 'unsupported_destination'
      const { rate, microUsdPerMinute: rateMicroUsd, surchargeMicroUsd, shown } = price
      const { isoCode, prefix } = rate
      return { to: verdict.e164, isoCode, rateMicroUsd, surchargeMicroUsd, shown, prefix }
    }
  }
}
