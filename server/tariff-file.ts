import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTariff, type Tariff } from '#lib/rules/tariff.ts'

/** Our published tariff: the very file that the site serves at `/tariff.csv`. */
const file = join(import.meta.dirname, '..', 'public', 'tariff.csv')

/** @throws Error naming the line when the file is malformed. */
export function readTariff(): Tariff {
  return parseTariff(readFileSync(file, 'utf8'))
}
