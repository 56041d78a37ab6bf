import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { presetsUsd } from '#lib/money/credit-amounts.ts'
import { bonusCredits, minUsd } from '#lib/money/credits.ts'
import type { Tariff } from '#lib/money/tariff.ts'
import { defaultCallPolicy, type PricePolicy, pricePolicy } from '../config/policy.ts'
import { readEnvironment } from '../config.ts'
import { readCarrierPrices, trunkCosts } from '../telephony/trunk/carrier-prices.ts'
import { readTrunkFile } from '../telephony/trunk/trunk-file.ts'
import { readPriceFile } from '../telephony/twilio/pricing.ts'
import { type CostRow, callCostsOf, costsWithCallerId, isOwnList, readOwnRows } from './call-costs.ts'
import { checkTariff } from './compare.ts'
import { knownCosts, writeCosts } from './costs-file.ts'
import { marginsOf, marginsWithBonus, trunkPolicy } from './margins.ts'
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
npm run prices -- <list.csv> [--trunk <file>] --carrier <name> [...]

Compares public/tariff.csv with what the carrier charges, by its own list of outbound prices: its price, the browser's leg and
the card fee of a $${pricePolicy.purchaseUsd} purchase have to be covered.
  --check    without a file, by the costs that this release knows: server/tariff/costs.csv; with a trunk file and without
             --carrier, by the cheapest costs over all its carriers
  --trunk    the trunk file; the one in TRUNK_FILE unless said
  --carrier  a carrier in that file: its list replaces server/tariff/costs.csv in all of this, and there is no browser's leg
  --margin   what a price has to bring beyond that, in percent; 0 unless said
  --caller   the number that calls show, where prices depend on it; without it the cheapest caller counts, since every other
             one pays the difference
  --write    writes a tariff with the prices that are too low raised, to a new file; the published one is never changed
  --import   takes the list over into server/tariff/costs.csv, by which calls are priced

A list has the columns of Twilio's, or is in our own format: prefixes,callers,usd_per_min or prefix,usd_per_min.`

/** Whose prices are compared. `release`: of the carrier that the release knows. `all`: of the cheapest of all carriers. */
type Seller =
  | { readonly kind: 'release' }
  | { readonly kind: 'carrier'; readonly name: string; readonly trunkFile: string }
  | { readonly kind: 'all'; readonly trunkFile: string }

interface Asked {
  /** The carrier's price list. Undefined: what is known. */
  readonly file: string | undefined
  readonly of: Seller
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
    console.error((error as Error).message)
    return 2
  }
}

function importPrices(asked: Asked): number {
  const { percent, caller = 'cheapest', write, adopt } = asked
  const { rows, faults, policy, home } = comparedWith(asked)
  const tariff = readTariff()
  const costs = costsWithCallerId(callCostsOf(rows), caller)
  const margins = marginsOf(policy, policy.purchaseUsd, percent)
  const check = checkTariff(tariff, costs, margins)
  console.log(
    [
      ...formatMargins(policy),
      ...formatOtherPurchases(besides(tariff, costs, policy), policy.purchaseUsd),
      ...formatCheck(check, policy.purchaseUsd),
    ].join('\n'),
  )
  const incomplete = faults > 0
  if ((write !== undefined || adopt) && incomplete) {
    console.error(`Nothing was written. Correct the ${faults} rows above first.`)
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
    if (adopt && home !== undefined) {
      writeCosts(home.file, rows)
      console.log(`Wrote ${rows.length} rows to ${home.file}. ${home.inUse}`)
    }
  }
  return check.tooCheap.length === 0 && !incomplete ? 0 : 1
}

interface Compared {
  readonly rows: readonly CostRow[]
  /** How many rows cannot be read; they are printed. */
  readonly faults: number
  readonly policy: PricePolicy
  /** Where a list is kept, and when a new one is used; undefined for those of several carriers. */
  readonly home: { readonly file: string; readonly inUse: string } | undefined
}

/** @throws Error naming the file that cannot be used */
function comparedWith({ file, of }: Asked): Compared {
  switch (of.kind) {
    case 'release': {
      const inUse = 'Commit it: calls are priced by it from the next release on.'
      return { ...listOf(file ?? knownCosts), policy: pricePolicy, home: { file: knownCosts, inUse } }
    }
    case 'carrier': {
      const { carriers } = readTrunkFile(of.trunkFile)
      const found = carriers.find(one => one.name === of.name)
      if (found === undefined)
        throw new Error(
          `${of.trunkFile} has no carrier ${of.name}: ${carriers.map(one => one.name).join(', ')}`,
        )
      const inUse = 'Calls are priced and routed by it from the restart of each server on.'
      return { ...listOf(file ?? found.prices), policy: trunkPolicy, home: { file: found.prices, inUse } }
    }
    case 'all': {
      const settings = readTrunkFile(of.trunkFile)
      const { rows } = trunkCosts(readCarrierPrices(settings), settings.publicNumbers)
      return { rows: [...rows.values()].flat(), faults: 0, policy: trunkPolicy, home: undefined }
    }
  }
}

function listOf(file: string): Pick<Compared, 'rows' | 'faults'> {
  const { rows, faults } = readRows(file)
  for (const { line, what } of faults) console.error(`${file}, line ${line}: ${what}`)
  if (rows.length === 0) throw new Error(`${file}: the file has no readable price`)
  return { rows, faults: faults.length }
}

/** @throws Error naming the file */
function readRows(file: string): ReturnType<typeof readPriceFile> {
  try {
    const csv = readFileSync(file, 'utf8')
    return isOwnList(csv) ? { rows: readOwnRows(csv), faults: [] } : readPriceFile(csv)
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error })
  }
}

/** The smallest purchase and those with a bonus: reported, but prices need not cover them. */
function besides(tariff: Tariff, costs: Costs, policy: PricePolicy): readonly OtherPurchase[] {
  return [minUsd, ...presetsUsd.filter(usd => usd > policy.purchaseUsd)].map(usd => ({
    usd,
    bonusUsd: bonusCredits(usd),
    prefixes: checkTariff(tariff, costs, marginsWithBonus(policy, usd)).tooCheap.length,
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
        carrier: { type: 'string' },
        trunk: { type: 'string' },
      },
    })
    const [file, ...rest] = positionals
    const { check, margin, caller, write, import: adopt, carrier, trunk } = values
    if (rest.length > 0 || (file === undefined && (!check || adopt))) return undefined
    if (!/^\d{1,3}$/.test(margin) || !/^\+?[1-9]\d{0,14}$/.test(caller ?? '1')) return undefined
    if (write !== undefined && existsSync(write))
      throw new Error(`${write} already exists: name another file`)
    const of = sellerOf(carrier, trunk ?? readEnvironment(process.env).config.trunkFile)
    // A list is of one carrier.
    if (of === undefined || (of.kind === 'all' && file !== undefined)) return undefined
    return { file, of, percent: Number(margin), caller, write, adopt }
  } catch (error) {
    console.error(`${(error as Error).message}\n`)
    return undefined
  }
}

function sellerOf(carrier: string | undefined, trunkFile: string | undefined): Seller | undefined {
  if (trunkFile === undefined) return carrier === undefined ? { kind: 'release' } : undefined
  return carrier === undefined ? { kind: 'all', trunkFile } : { kind: 'carrier', name: carrier, trunkFile }
}
