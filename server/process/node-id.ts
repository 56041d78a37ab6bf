import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id under which this process saves the calls that it carries (ADR-10). Generated once and kept in the data directory, so
 * that a restart recognises its own calls. This process must hold the directory's lock: two processes with one id would settle
 * each other's calls.
 */
export function readOrCreateNodeId(directory: string, random: Random): string {
  const file = join(directory, 'node-id')
  const kept = read(file)
  if (pattern.test(kept)) return kept
  const made = random.uuid()
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, made, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return made
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
