import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { createDatabase, type OwnDatabase } from './postgres.ts'
import { createWorld, type World } from './world.ts'

const root = join(import.meta.dirname, '..', '..')

/** Environment variables that select a database. */
export type Place = Readonly<Record<string, string>>

type Opened = Awaited<ReturnType<typeof openEmbedded>> | Awaited<ReturnType<typeof openPostgres>>

/** A world with an admin socket, and the commands to back it up and restore it elsewhere. */
export interface BackupWorld {
  readonly world: World
  /** A directory for files, initially empty. */
  readonly directory: string
  /** The world's database. */
  readonly here: Place
  /** An unused database on the same engine. */
  elsewhere(content?: 'empty' | 'migrated'): Promise<Place>
  open(place: Place): Promise<Opened>
  /** Closes what was opened, so that a command can open the database. */
  leave(): Promise<void>
  command(
    name: 'backup' | 'restore',
    place: Place,
    ...args: string[]
  ): Promise<{ code: number; stdout: string; stderr: string }>
  close(): Promise<void>
}

export async function createBackupWorld(): Promise<BackupWorld> {
  const world = await createWorld()
  const directory = mkdtempSync(join(tmpdir(), 'farline-backup-'))
  const data = mkdtempSync(join(tmpdir(), 'farline-backup-data-'))
  const adminSocket = await openAdminSocket(world.dataDirectory ?? data, world.services)
  const databases: OwnDatabase[] = []
  const opened: Opened[] = []
  const open = async ({ DATABASE_URL, DATA_DIR = '' }: Place) => {
    const db = DATABASE_URL === undefined ? await openEmbedded(DATA_DIR) : await openPostgres(DATABASE_URL)
    opened.push(db)
    return db
  }
  const leave = async () => {
    for (const db of opened.splice(0)) await db.close()
  }
  return {
    world,
    directory,
    here:
      world.databaseUrl === undefined
        ? { DATA_DIR: world.dataDirectory ?? '' }
        : { DATA_DIR: data, DATABASE_URL: world.databaseUrl },
    elsewhere: async (content = 'empty') => {
      const engine = inject('engine')
      if (engine?.kind === 'postgres') {
        const own = await createDatabase(engine.serverUrl, content)
        databases.push(own)
        return { DATA_DIR: data, DATABASE_URL: own.url }
      }
      const place = { DATA_DIR: mkdtempSync(join(data, 'fresh-')) }
      if (content === 'migrated') {
        await migrate(await open(place), new Date())
        await leave()
      }
      return place
    },
    open,
    leave,
    command: async (name, place, ...args) => {
      const child = spawn(process.execPath, [`server/${name}.ts`, ...args], {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', ...place },
      })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', chunk => (stdout += String(chunk)))
      child.stderr.on('data', chunk => (stderr += String(chunk)))
      const [code] = await once(child, 'close')
      return { code, stdout, stderr }
    },
    close: async () => {
      await leave()
      for (const own of databases) await own.drop()
      await adminSocket.close()
      await world.close()
      for (const path of [directory, data]) rmSync(path, { recursive: true, force: true })
    },
  }
}
