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
 * In memory if possible: it survives a killed process as a disk does, and is faster. Power cuts are tested elsewhere.
 */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** An empty database of the project's engine, to be opened by other processes. */
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
