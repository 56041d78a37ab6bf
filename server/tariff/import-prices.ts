import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { defaultCallPolicy } from '../policy.ts'
import { readTariff } from '../tariff-file.ts'
import { readPriceFile } from '../telephony/twilio/pricing.ts'
import { checkTariff, type Margins } from './compare.ts'
import { proposeTariff } from './propose.ts'
import { tellCheck, tellProposal } from './report.ts'

const usage = `npm run prices -- <pricing.csv> [--margin <percent>] [--plus <usd a minute>] [--caller <number>] [--write <file>]

Compares public/tariff.csv with what the voice vendor charges, by its own list of outbound prices.
  --margin   what a price has to bring beyond its cost, in percent; 0 unless said
  --plus     what each minute costs besides, in USD: the caller's own leg
  --caller   the number that calls show, where prices depend on it; without it the dearest price of each destination counts
  --write    writes a tariff with the prices that are too low raised, to a new file; the published one is never changed`

interface Asked {
  readonly file: string
  readonly margins: Margins
  readonly caller: string | undefined
  readonly write: string | undefined
}

process.exitCode = run(process.argv.slice(2))

/** 0: nothing is too cheap. 1: something is, or the file has faults. 2: it could not be read. */
function run(args: string[]): number {
  const asked = readArguments(args)
  if (asked === undefined) {
    console.error(usage)
    return 2
  }
  try {
    return importPrices(asked)
  } catch (error) {
    console.error(`${asked.file}: ${(error as Error).message}`)
    return 2
  }
}

function importPrices({ file, margins, caller, write }: Asked): number {
  const { costs, faults } = readPriceFile(readFileSync(file, 'utf8'), caller)
  for (const { line, what } of faults) console.error(`${file}, line ${line}: ${what}`)
  if (costs.size === 0) throw new Error('no price could be read')
  const tariff = readTariff()
  const check = checkTariff(tariff, costs, margins)
  console.log(tellCheck(check).join('\n'))
  if (write !== undefined && faults.length > 0) {
    console.error(`Nothing was written: mend the ${faults.length} rows first.`)
  } else if (write !== undefined) {
    const highest = Math.max(...Object.values(defaultCallPolicy.tiers).map(tier => tier.highestRateMicroUsd))
    const proposal = proposeTariff(tariff, check.tooCheap, highest)
    // Never over a file that is there: the published tariff changes by the operator's command alone.
    writeFileSync(write, proposal.csv, { flag: 'wx' })
    console.log(tellProposal(proposal, write).join('\n'))
  }
  return check.tooCheap.length === 0 && faults.length === 0 ? 0 : 1
}

function readArguments(args: string[]): Asked | undefined {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        margin: { type: 'string', default: '0' },
        plus: { type: 'string', default: '0' },
        caller: { type: 'string' },
        write: { type: 'string' },
      },
    })
    const [file, ...rest] = positionals
    const { margin, plus, caller, write } = values
    if (file === undefined || rest.length > 0 || !/^\d{1,3}$/.test(margin)) return undefined
    if (!/^\d{1,3}(\.\d{1,6})?$/.test(plus) || !/^\+?[1-9]\d{0,14}$/.test(caller ?? '1')) return undefined
    if (write !== undefined && existsSync(write)) throw new Error(`${write} is there already`)
    return {
      file,
      margins: { percent: Number(margin), plusMicroUsd: usdToMicroUsd(Number(plus)) },
      caller: caller?.replace('+', ''),
      write,
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n`)
    return undefined
  }
}
