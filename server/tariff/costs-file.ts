import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallCosts, type CostRow, callCostsOf, costRowsCsv, parseCostRows } from './call-costs.ts'

/** The carrier's costs, as last imported by `npm run prices`; part of the release, like the tariff. */
export const knownCosts = join(import.meta.dirname, 'costs.csv')

/** @throws Error naming the line if the file is malformed */
export function readCosts(): CallCosts {
  return callCostsOf(readCostRows(knownCosts))
}

/** @throws Error naming the line if the file is malformed */
export function readCostRows(file: string): readonly CostRow[] {
  return parseCostRows(readFileSync(file, 'utf8'))
}

/** Replaces the file atomically. */
export function writeCosts(file: string, rows: readonly CostRow[]): void {
  const whole = `${file}.new`
  writeFileSync(whole, costRowsCsv(rows), { flush: true })
  renameSync(whole, file)
}
