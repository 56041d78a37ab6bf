import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { formatCharge } from '#lib/money/money.ts'
import { parseTariff } from '#lib/money/tariff.ts'
import { StartError } from '../../process/start-error.ts'
import { readCostList } from '../../tariff/call-costs.ts'
import { type Command, missingReason } from './command.ts'

const comparison = z.object({
  changes: z.array(
    z.object({
      isoCode: z.string(),
      kind: z.string(),
      before: z.nullable(z.number()),
      after: z.nullable(z.number()),
      prefixes: z.array(z.string()),
    }),
  ),
  belowCost: z.nullable(
    z.array(z.object({ prefix: z.string(), isoCode: z.string(), price: z.number(), cost: z.number() })),
  ),
  applied: z.boolean(),
})
type Comparison = z.infer<typeof comparison>

const shownPrefixes = 5

export const pricesCommand: Command = {
  name: 'prices',
  synopsis: 'prices <file> [--costs <file>] [--apply --reason "<why>"]',
  does: 'Shows what a price list changes and what it sells below cost; applies it with --apply',
  read({ args: [file, ...rest], costs, apply, reason, actor }) {
    if (file === undefined || rest.length > 0) return undefined
    const body = {
      tariff: readList(file, parseTariff),
      costs: costs === undefined ? null : readList(costs, readCostList),
      apply,
      reason,
      actor,
    }
    return { path: '/prices', body, uncertainty: 'whether it applied the prices; look with: prices <file>' }
  },
  format(value) {
    const { changes, belowCost, applied } = z.parse(comparison, value)
    return [
      ...(changes.length === 0 ? ['No price changes.'] : changes.map(formatChange)),
      ...formatBelowCost(belowCost),
      applied
        ? 'Applied to public/tariff.csv. Pages and calls keep the old prices until the site is rebuilt and the server restarted: npm start does both.'
        : 'Nothing was applied. Apply it with --apply --reason "<why>".',
    ].join('\n')
  },
  errorTexts: {
    unreadable: 'The server cannot read that price list.',
    missing_reason: missingReason,
    read_only:
      'Nothing was applied: this server may not write to its release. Apply the list in a checkout of the project, commit public/tariff.csv, and build a release from it.',
  },
}

/** @returns the file's text, once it has been parsed successfully */
function readList(file: string, parse: (csv: string) => unknown): string {
  try {
    const csv = readFileSync(file, 'utf8')
    parse(csv)
    return csv
  } catch (error) {
    throw new StartError(`${file}: ${(error as Error).message}`)
  }
}

function formatChange({ isoCode, kind, before, after, prefixes }: Comparison['changes'][number]): string {
  const price = (rate: number | null) => (rate === null ? 'none' : formatCharge(rate))
  const more = prefixes.length > shownPrefixes ? ` and ${prefixes.length - shownPrefixes} more` : ''
  const named = prefixes.slice(0, shownPrefixes).join(' ')
  return `${isoCode}  ${kind.padEnd(8)}  ${price(before)} -> ${price(after)}  ${named}${more}`
}

function formatBelowCost(found: Comparison['belowCost']): string[] {
  if (found === null) return ['Costs were not compared: name the file with our costs in --costs <file>.']
  if (found.length === 0) return ['No price is below its cost.']
  return [
    `BELOW COST: ${found.length}`,
    ...found.map(
      ({ isoCode, prefix, price, cost }) =>
        `${isoCode}  ${prefix}  sold for ${formatCharge(price)}, costs ${formatCharge(cost)}`,
    ),
  ]
}
