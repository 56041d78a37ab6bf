import type { Reply } from '#lib/api/endpoint.ts'
import type { countryRate } from '#lib/api/rates.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'

/** What a country costs. */
export type CountryRate =
  | {
      readonly kind: 'known'
      readonly microUsdPerMinute: number
      /** How long a first, free call there lasts; 0 when it is not eligible, null when nobody has told. */
      readonly freeMinutes: number | null
    }
  /** The rate could not be read: the specification's fallback, to be shown as an estimate (decision 21). */
  | { readonly kind: 'estimate'; readonly microUsdPerMinute: number }
  | { readonly kind: 'unsupported' }

/** Specification section 9: $0.02 per minute where a country's rate cannot be read. */
const fallback: CountryRate = { kind: 'estimate', microUsdPerMinute: 20_000 }
const timeoutMs = 8000

/**
 * Asks for a country's rate. Never throws: what cannot be read is logged and estimated.
 *
 * The one request of the marketing pages: written by hand, for the contract's schemas would bring 7 KB of
 * zod (compressed) to visitors who may never sign up. Only the two figures it shows are read.
 */
export async function readCountryRate(isoCode: string, signal: AbortSignal): Promise<CountryRate> {
  try {
    const answer = await fetch(`/api/rates/${isoCode}`, {
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

/** @throws Error when the answer has no rate in it */
function rateIn(answer: Partial<Reply<typeof countryRate>> | null): CountryRate {
  const { ourRate, freeMinutes } = answer ?? {}
  if (typeof ourRate !== 'number' || !(ourRate > 0)) throw new Error('no rate in the answer')
  return {
    kind: 'known',
    microUsdPerMinute: usdToMicroUsd(ourRate),
    freeMinutes: typeof freeMinutes === 'number' ? freeMinutes : null,
  }
}
