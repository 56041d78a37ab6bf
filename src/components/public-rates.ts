import { spawnSync } from 'node:child_process'
import { changedAt } from '#layouts/changed-at.ts'
import { type PublicRates, publicRatesOf } from '#lib/api/public-rates.ts'
import { tariff } from './destinations.ts'

/** What this build publishes as its prices. @param site any address of it */
export function publicRatesHere(site: URL): PublicRates {
  return publicRatesOf(tariff, new URL('/', site).href, validFrom())
}

/** The day of the commit that last changed the tariff; null without history, or where it was changed since. */
function validFrom(): string | null {
  const asCommitted = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', 'public/tariff.csv']).status === 0
  return (asCommitted ? changedAt('/rates')?.toISOString().slice(0, 10) : undefined) ?? null
}
