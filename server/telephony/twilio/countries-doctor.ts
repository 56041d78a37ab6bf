import { findRate, type Tariff } from '#lib/money/tariff.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import type { TwilioSettings } from '../../config.ts'
import { type Check, type Finding, type Findings, networkCodeOf } from '../../process/finding.ts'
import {
  type DiallingPermission,
  listHighRiskPrefixes,
  listPermissions,
  PermissionsUnreadable,
} from './dialling-permissions.ts'

const page = 'docs/operating/twilio.md'
const where = 'Voice, Settings, Geo permissions'

const maxNamed = 8
const atOnce = 20

export function checkCountries(settings: TwilioSettings, tariff: Tariff): Check {
  return {
    about: 'Twilio countries',
    // About 170 requests.
    limitMs: 30_000,
    run: async find => {
      try {
        const permissions = await listPermissions(settings)
        const sold = soldUnder(permissions, tariff)
        const highRisk = await highRiskOf(settings, [...new Set(sold.values())])
        return [
          ...readAllowed(permissions, sold, tariff, find),
          ...readHighRisk(permissions, find),
          ...readPrefixes(highRisk, tariff, find),
        ]
      } catch (error) {
        if (error instanceof PermissionsUnreadable) {
          return [
            find.warning(
              `Twilio did not say which countries the account may call (${error.status}).`,
              `Check its console: ${where}.`,
            ),
          ]
        }
        return [
          find.problem(
            `Twilio does not answer (${networkCodeOf(error)}).`,
            'Check the firewall: voice.twilio.com, port 443. See status.twilio.com.',
          ),
        ]
      }
    },
  }
}

/** The country's own permission or that of its shared code; the longest code wins. @returns by ISO code, if there is any */
function soldUnder(
  permissions: readonly DiallingPermission[],
  tariff: Tariff,
): ReadonlyMap<string, DiallingPermission> {
  const byIso = new Map(permissions.map(one => [one.isoCode, one]))
  const codes = permissions
    .flatMap(permission => permission.codes.map(code => ({ code, permission })))
    .sort((one, other) => other.code.length - one.code.length)
  const found = new Map<string, DiallingPermission>()
  for (const { isoCode, prefix } of tariff.rates) {
    if (found.has(isoCode)) continue
    const own = byIso.get(isoCode) ?? codes.find(({ code }) => prefix.startsWith(code))?.permission
    if (own !== undefined) found.set(isoCode, own)
  }
  return found
}

function readAllowed(
  permissions: readonly DiallingPermission[],
  sold: ReadonlyMap<string, DiallingPermission>,
  { byIso }: Tariff,
  find: Findings,
): Finding[] {
  const closed = [...byIso.keys()].filter(isoCode => sold.get(isoCode)?.lowRisk !== true)
  const used = new Set(sold.values())
  const open = permissions.filter(one => one.lowRisk && !used.has(one))
  const found: Finding[] = []
  if (closed.length > 0) {
    const names = closed.map(isoCode => countryOfIso(isoCode)?.name ?? isoCode)
    found.push(
      find.problem(
        `The account may not call ${named(names)}, which we sell: calls there fail.`,
        `Allow them in its console (${where}), or remove them from the tariff.`,
      ),
    )
  }
  if (open.length > 0) {
    found.push(
      find.warning(
        `The account may call ${named(open.map(({ name }) => name))}, which we do not sell.`,
        `Switch them off in its console (${page}): that limit still holds when all others fail.`,
      ),
    )
  }
  return found.length > 0
    ? found
    : [find.ok(`The account may call the ${byIso.size} countries that we sell, and no other.`)]
}

function readHighRisk(permissions: readonly DiallingPermission[], find: Findings): Finding[] {
  const kinds = [
    ['high-risk special services', permissions.filter(one => one.highRiskSpecial)],
    ['numbers known for toll fraud', permissions.filter(one => one.highRiskTollFraud)],
  ] as const
  const found = kinds.flatMap(([what, open]) =>
    open.length === 0
      ? []
      : [
          find.warning(
            `The account may call ${what} in ${named(open.map(({ name }) => name))}.`,
            `Switch them off in its console (${where}).`,
          ),
        ],
  )
  return found.length > 0
    ? found
    : [find.ok('High-risk special services and toll-fraud numbers are off everywhere.')]
}

async function highRiskOf(
  settings: TwilioSettings,
  permissions: readonly DiallingPermission[],
): Promise<readonly string[]> {
  const prefixes: string[] = []
  const waiting = [...permissions]
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      prefixes.push(...(await listHighRiskPrefixes(settings, next.isoCode)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return prefixes.sort((one, other) => (one < other ? -1 : 1))
}

function readPrefixes(highRisk: readonly string[], tariff: Tariff, find: Findings): Finding[] {
  const ours = highRisk.filter(prefix => findRate(tariff, prefix) !== undefined)
  return ours.length === 0
    ? [find.ok('No number that we sell is a high-risk special service at Twilio.')]
    : [
        find.warning(
          `Numbers that begin with ${named(ours.map(prefix => `+${prefix}`))} are in our tariff, but Twilio counts them as high-risk special services.`,
          'Remove the prefixes from the tariff: such calls fail while these services are off, and cost far more while they are on.',
        ),
      ]
}

function named(names: readonly string[]): string {
  const sorted = names.toSorted()
  const more = sorted.length - maxNamed
  return sorted.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
