import type { Reply } from '#lib/api/endpoint.ts'
import type { countryRate, numberRate } from '#lib/api/rates.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'

export type CountryRate =
  | {
      readonly kind: 'known'
      readonly microUsdPerMinute: number
      /** Length of a free first call; 0 if not eligible, null if unknown. */
      readonly freeMinutes: number | null
      /** The max that the user's own caller ID adds per minute; 0 if nothing. */
      readonly maxSurchargeMicroUsd: number
    }
  /** The rate could not be read: the fallback, shown as an estimate (PD-21). */
  | { readonly kind: 'estimate'; readonly microUsdPerMinute: number }
  | { readonly kind: 'unsupported' }

type Answer = Partial<Reply<typeof countryRate> & Reply<typeof numberRate>> | null

/** $0.02 per minute if a country's rate cannot be read (SPEC-9.6). */
const fallback: CountryRate = { kind: 'estimate', microUsdPerMinute: 20_000 }
const timeoutMs = 8000

export function readCountryRate(isoCode: string, signal: AbortSignal): Promise<CountryRate> {
  return readRate(`/api/rates/${isoCode}`, signal)
}

/** The rate of one number; what a caller ID can add is known of its country. @param e164 with the plus */
export async function readNumberRate(
  e164: string,
  isoCode: string,
  signal: AbortSignal,
): Promise<CountryRate> {
  const [rate, country] = await Promise.all([
    readRate(`/api/rates/number/${encodeURIComponent(e164)}`, signal),
    readCountryRate(isoCode, signal),
  ])
  if (rate.kind !== 'known' || country.kind !== 'known') return rate
  return { ...rate, maxSurchargeMicroUsd: country.maxSurchargeMicroUsd }
}

/**
 * Never throws: failures are logged and become an estimate. The only requests of the marketing pages. Handwritten,
 * because the contract's schemas would add 7 KB of zod (compressed) for visitors who may never sign up.
 */
async function readRate(path: string, signal: AbortSignal): Promise<CountryRate> {
  try {
    const answer = await fetch(path, {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (answer.status === 404) return { kind: 'unsupported' }
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return rateIn(await answer.json())
  } catch (thrown) {
    if (!signal.aborted) console.error('The rate could not be read.', thrown)
    return fallback
  }
}

/** @throws Error if the answer has no rate */
function rateIn(answer: Answer): CountryRate {
  const { ourRate, freeMinutes, maxSurcharge } = answer ?? {}
  if (typeof ourRate !== 'number' || !(ourRate > 0)) throw new Error('no rate in the answer')
  return {
    kind: 'known',
    microUsdPerMinute: usdToMicroUsd(ourRate),
    freeMinutes: typeof freeMinutes === 'number' ? freeMinutes : null,
    maxSurchargeMicroUsd: typeof maxSurcharge === 'number' ? usdToMicroUsd(maxSurcharge) : 0,
  }
}
