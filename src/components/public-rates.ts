import { spawnSync } from 'node:child_process'
import { changedAt } from '#layouts/changed-at.ts'
import { type PublicRates, publicRatesOf } from '#lib/api/public-rates.ts'
import { tariff } from './destinations.ts'

/** The rates that this build publishes. @param site any URL of the site */
export function publicRatesHere(site: URL): PublicRates {
  return publicRatesOf(tariff, new URL('/', site).href, validFrom())
}

/** The day of the last commit to the tariff; null without history, or with uncommitted changes. */
function validFrom(): string | null {
  const asCommitted = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', 'public/tariff.csv']).status === 0
  return (asCommitted ? changedAt('/rates')?.toISOString().slice(0, 10) : undefined) ?? null
}
