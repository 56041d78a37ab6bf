import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTariff, type Tariff } from '#lib/money/tariff.ts'

/** The published tariff: the file that the site serves at `/tariff.csv`. */
export const publishedTariff = join(import.meta.dirname, '..', '..', 'public', 'tariff.csv')

/** @throws Error naming the line if the file is malformed */
export function readTariff(file: string = publishedTariff): Tariff {
  return parseTariff(readFileSync(file, 'utf8'))
}

/** Replaces the file atomically. */
export function writeTariff(file: string, csv: string): void {
  const whole = `${file}.new`
  writeFileSync(whole, csv, { flush: true })
  renameSync(whole, file)
}
