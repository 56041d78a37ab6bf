import { formatRate } from '#lib/money/money.ts'

/** The rate as text: `$0.020 per minute`, or that the call is free; empty while unknown. */
export function perMinute(rateMicroUsd: number | null): string {
  if (rateMicroUsd === null) return ''
  return rateMicroUsd === 0 ? 'Your free call' : `${formatRate(rateMicroUsd)} per minute`
}
