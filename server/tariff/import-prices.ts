import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { presetsUsd } from '#lib/money/credit-amounts.ts'
import { bonusCredits, minUsd } from '#lib/money/credits.ts'
import type { Tariff } from '#lib/money/tariff.ts'
import { defaultCallPolicy, pricePolicy } from '../config/policy.ts'
import { readPriceFile } from '../telephony/twilio/pricing.ts'
import { callCostsOf, costsWithCallerId, parseCostRows } from './call-costs.ts'
import { checkTariff } from './compare.ts'
import { knownCosts, writeCosts } from './costs-file.ts'
import { marginsOf, marginsWithBonus } from './margins.ts'
import type { Costs } from './price-list.ts'
import { proposeTariff } from './propose.ts'
import {
  formatCheck,
  formatMargins,
  formatOtherPurchases,
  formatProposal,
  type OtherPurchase,
} from './report.ts'
import { readTariff } from './tariff-file.ts'

const usage = `npm run prices -- <pricing.csv> [--margin <percent>] [--caller <number>] [--write <file>] [--import]
npm run prices -- --check [<pricing.csv>]

Compares public/tariff.csv with what the carrier charges, by its own list of outbound prices: its price, the browser's leg and
the card fee of a $${pricePolicy.purchaseUsd} purchase have to be covered.
  --check    without a file, by the costs that this release knows: server/tariff/costs.csv
  --margin   what a price has to bring beyond that, in percent; 0 unless said
  --caller   the number that calls show, where prices depend on it; without it the cheapest caller counts, since every other
             one pays the difference
  --write    writes a tariff with the prices that are too low raised, to a new file; the published one is never changed
  --import   takes the list over into server/tariff/costs.csv, by which calls are priced`

interface Asked {
  /** The carrier's price list. Undefined: the costs in the release. */
  readonly file: string | undefined
  readonly percent: number
  readonly caller: string | undefined
  readonly write: string | undefined
  readonly adopt: boolean
}

process.exitCode = run(process.argv.slice(2))

/** Exit code. 0: no price is too low. 1: some are, or the file has errors. 2: it could not be read. */
function run(args: string[]): number {
  const asked = readArguments(args)
  if (asked === undefined) {
    console.error(usage)
    return 2
  }
  try {
    return importPrices(asked)
  } catch (error) {
    console.error(`${asked.file ?? knownCosts}: ${(error as Error).message}`)
    return 2
  }
}

function importPrices(asked: Asked): number {
  const { file, percent, caller = 'cheapest', write, adopt } = asked
  const { rows, faults } = readRows(file)
  for (const { line, what } of faults) console.error(`${file}, line ${line}: ${what}`)
  if (rows.length === 0) throw new Error('the file has no readable price')
  const tariff = readTariff()
  const costs = costsWithCallerId(callCostsOf(rows), caller)
  const margins = marginsOf(pricePolicy, pricePolicy.purchaseUsd, percent)
  const check = checkTariff(tariff, costs, margins)
  console.log(
    [
      ...formatMargins(pricePolicy),
      ...formatCheck(check),
      ...formatOtherPurchases(besides(tariff, costs)),
    ].join('\n'),
  )
  const incomplete = faults.length > 0
  if ((write !== undefined || adopt) && incomplete) {
    console.error(`Nothing was written. Correct the ${faults.length} rows above first.`)
  } else {
    if (write !== undefined) {
      const highest = Math.max(
        ...Object.values(defaultCallPolicy.tiers).map(tier => tier.highestRateMicroUsd),
      )
      const proposal = proposeTariff(tariff, check.tooCheap, highest)
      // Never overwrites a file: the published tariff changes only by the operator's command.
      writeFileSync(write, proposal.csv, { flag: 'wx' })
      console.log(formatProposal(proposal, write).join('\n'))
    }
    if (adopt) {
      writeCosts(knownCosts, rows)
      console.log(
        `Wrote ${rows.length} rows to ${knownCosts}. Commit it: calls are priced by it from the next release on.`,
      )
    }
  }
  return check.tooCheap.length === 0 && !incomplete ? 0 : 1
}

function readRows(file: string | undefined): ReturnType<typeof readPriceFile> {
  if (file === undefined) return { rows: parseCostRows(readFileSync(knownCosts, 'utf8')), faults: [] }
  return readPriceFile(readFileSync(file, 'utf8'))
}

/** The smallest purchase and those with a bonus: reported, but prices need not cover them. */
function besides(tariff: Tariff, costs: Costs): readonly OtherPurchase[] {
  return [minUsd, ...presetsUsd.filter(usd => usd > pricePolicy.purchaseUsd)].map(usd => ({
    usd,
    bonusUsd: bonusCredits(usd),
    prefixes: checkTariff(tariff, costs, marginsWithBonus(pricePolicy, usd)).tooCheap.length,
  }))
}

function readArguments(args: string[]): Asked | undefined {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        check: { type: 'boolean', default: false },
        margin: { type: 'string', default: '0' },
        caller: { type: 'string' },
        write: { type: 'string' },
        import: { type: 'boolean', default: false },
      },
    })
    const [file, ...rest] = positionals
    const { check, margin, caller, write, import: adopt } = values
    if (rest.length > 0 || (file === undefined && (!check || adopt))) return undefined
    if (!/^\d{1,3}$/.test(margin) || !/^\+?[1-9]\d{0,14}$/.test(caller ?? '1')) return undefined
    if (write !== undefined && existsSync(write))
      throw new Error(`${write} already exists: name another file`)
    return { file, percent: Number(margin), caller, write, adopt }
  } catch (error) {
    console.error(`${(error as Error).message}\n`)
    return undefined
  }
}
