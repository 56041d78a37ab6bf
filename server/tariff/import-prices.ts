import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { presetsUsd } from '#lib/money/credit-amounts.ts'
import { bonusCredits, minUsd } from '#lib/money/credits.ts'
import type { Tariff } from '#lib/money/tariff.ts'
import { defaultCallPolicy, type PricePolicy, pricePolicy } from '../config/policy.ts'
import { readTrunkFile } from '../telephony/trunk/trunk-file.ts'
import { readPriceFile } from '../telephony/twilio/pricing.ts'
import { callCostsOf, costsWithCallerId, isOwnList, readOwnRows } from './call-costs.ts'
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
npm run prices -- <list.csv> --trunk <file> --carrier <name> [...]

Compares public/tariff.csv with what the carrier charges, by its own list of outbound prices: its price, the browser's leg and
the card fee of a $${pricePolicy.purchaseUsd} purchase have to be covered.
  --check    without a file, by the costs that this release knows: server/tariff/costs.csv
  --carrier  a carrier in the trunk file that --trunk names: its list replaces server/tariff/costs.csv in all of this, and there
             is no browser's leg
  --margin   what a price has to bring beyond that, in percent; 0 unless said
  --caller   the number that calls show, where prices depend on it; without it the cheapest caller counts, since every other
             one pays the difference
  --write    writes a tariff with the prices that are too low raised, to a new file; the published one is never changed
  --import   takes the list over into server/tariff/costs.csv, by which calls are priced

A list has the columns of Twilio's, or is in our own format: prefixes,callers,usd_per_min or prefix,usd_per_min.`

interface Asked {
  /** The carrier's price list. Undefined: the one that is known. */
  readonly file: string | undefined
  /** A carrier of a trunk. Undefined: the one that the release knows. */
  readonly carrier: { readonly name: string; readonly trunkFile: string } | undefined
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
  const { known, policy, inUse } = listOf(asked.carrier)
  const file = asked.file ?? known
  const { rows, faults } = readRows(file)
  for (const { line, what } of faults) console.error(`${file}, line ${line}: ${what}`)
  if (rows.length === 0) throw new Error(`${file}: the file has no readable price`)
  const tariff = readTariff()
  const costs = costsWithCallerId(callCostsOf(rows), caller)
  const margins = marginsOf(policy, policy.purchaseUsd, percent)
  const check = checkTariff(tariff, costs, margins)
  console.log(
    [
      ...formatMargins(policy),
      ...formatCheck(check),
      ...formatOtherPurchases(besides(tariff, costs, policy)),
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
      writeCosts(known, rows)
      console.log(`Wrote ${rows.length} rows to ${known}. ${inUse}`)
    }
  }
  return check.tooCheap.length === 0 && !incomplete ? 0 : 1
}

interface KnownList {
  /** The file that holds it. */
  readonly known: string
  readonly policy: PricePolicy
  /** When a new one is used. */
  readonly inUse: string
}

/** @throws StartError when the trunk file cannot be used */
function listOf(carrier: Asked['carrier']): KnownList {
  if (carrier === undefined) {
    const inUse = 'Commit it: calls are priced by it from the next release on.'
    return { known: knownCosts, policy: pricePolicy, inUse }
  }
  const { name, trunkFile } = carrier
  const { carriers } = readTrunkFile(trunkFile)
  const found = carriers.find(one => one.name === name)
  if (found === undefined)
    throw new Error(`${trunkFile} has no carrier ${name}: ${carriers.map(one => one.name).join(', ')}`)
  const inUse = 'Calls are priced and routed by it from the restart of each server on.'
  return { known: found.prices, policy: trunkPolicy, inUse }
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
    const { check, margin, caller, write, import: adopt, carrier: name, trunk: trunkFile } = values
    if (rest.length > 0 || (file === undefined && (!check || adopt))) return undefined
    if (!/^\d{1,3}$/.test(margin) || !/^\+?[1-9]\d{0,14}$/.test(caller ?? '1')) return undefined
    if (write !== undefined && existsSync(write))
      throw new Error(`${write} already exists: name another file`)
    if ((name === undefined) !== (trunkFile === undefined)) return undefined
    const carrier = name === undefined || trunkFile === undefined ? undefined : { name, trunkFile }
    return { file, carrier, percent: Number(margin), caller, write, adopt }
  } catch (error) {
    console.error(`${(error as Error).message}\n`)
    return undefined
  }
}
