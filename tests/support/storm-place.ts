import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectEngine } from './engine.ts'
import { createDatabase } from './postgres.ts'
import type { Place } from './storm-database.ts'

export interface FreshPlace {
  readonly place: Place
  remove(): Promise<void>
}

/**
 * In memory where there is such a place: what a killed process wrote stays there as it does on a disk, and nobody waits for
 * one. What a power cut leaves is another test's.
 */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** An empty database of the project's engine, for processes of their own to open. */
export async function createPlace(): Promise<FreshPlace> {
  const engine = await projectEngine()
  if (engine.kind === 'postgres') {
    const { url, drop } = await createDatabase(engine.serverUrl, 'empty')
    return { place: { kind: 'postgres', url }, remove: drop }
  }
  const directory = mkdtempSync(join(parent, 'farline-storm-'))
  return {
    place: { kind: 'embedded', directory },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  }
}
