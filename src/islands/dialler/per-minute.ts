import { formatRate } from '#lib/rules/money.ts'

/** What a call costs, in words: `$0.020 per minute`, or that it is free. Empty while nobody has told. */
export function perMinute(rateMicroUsd: number | null): string {
  if (rateMicroUsd === null) return ''
  return rateMicroUsd === 0 ? 'Your free call' : `${formatRate(rateMicroUsd)} per minute`
}
