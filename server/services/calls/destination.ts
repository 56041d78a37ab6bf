import { defaultCountry } from '#lib/rules/countries.ts'
import { parseNumber } from '#lib/rules/phone.ts'
import { findRate } from '#lib/rules/tariff.ts'
import type { RefusalCode } from '../../telephony/port.ts'
import type { Services } from '../context.ts'

export interface Destination {
  /** E.164 with the plus. */
  readonly to: string
  readonly isoCode: string
  readonly rateMicroUsd: number
  /** The tariff's, E.164 digits without the plus. */
  readonly prefix: string
}

export type NoDestination = Extract<
  RefusalCode,
  'invalid_number' | 'emergency_number' | 'unsupported_destination'
>

/** Where a number as it was typed leads and what a minute costs; or why we do not call it. */
export function findDestination(
  { tariff }: Pick<Services, 'tariff'>,
  typed: string,
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
      const rate = findRate(tariff, verdict.e164)
      if (rate === undefined) return 'unsupported_destination'
      const { isoCode, prefix, microUsdPerMinute } = rate
      return { to: verdict.e164, isoCode, rateMicroUsd: microUsdPerMinute, prefix }
    }
  }
}
