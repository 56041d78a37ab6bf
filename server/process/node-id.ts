import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uuidPattern } from '#lib/uuid.ts'
import type { Random } from './random.ts'

/**
 * The id under which this process saves its calls (ADR-10), kept in the data directory so that a restart recognises
 * them. The process must hold the directory's lock: two processes with one id would settle each other's calls.
 */
export function readOrCreateNodeId(directory: string, random: Random): string {
  const file = join(directory, 'node-id')
  const kept = read(file)
  if (uuidPattern.test(kept)) return kept
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
