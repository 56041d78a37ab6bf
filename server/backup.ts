import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { adminSocketPath } from './admin/socket-path.ts'
import { dumpEmbedded } from './backup/embedded.ts'
import { writeBackup } from './backup/file.ts'
import { dumpPostgres } from './backup/postgres.ts'
import { ConfigError, readConfig } from './config.ts'
import { systemClock } from './process/clock.ts'
import { StartError } from './process/start-error.ts'

process.exitCode = await run(process.argv.slice(2))

/** Exit code. 0: the backup is written. 1: it is not. 2: invalid arguments. */
async function run(args: readonly string[]): Promise<number> {
  const [name] = args
  if (name === undefined || name.startsWith('-') || args.length > 1) {
    console.error(
      'npm run backup -- <file>    writes the configured database to a file, while the server runs',
    )
    return 2
  }
  try {
    const path = resolve(name)
    if (!existsSync(dirname(path)))
      throw new StartError(`The directory ${dirname(path)} does not exist. Create it, or name another file.`)
    const { databaseUrl, dataDirectory } = readConfig(process.env)
    const directory = resolve(dataDirectory)
    const takenAt = systemClock.now().toISOString()
    const engine = databaseUrl === undefined ? 'embedded' : 'postgresql'
    const { bytes, sha256 } = await writeBackup(path, { engine, takenAt }, into =>
      databaseUrl === undefined
        ? dumpEmbedded(directory, adminSocketPath(directory), into)
        : dumpPostgres(databaseUrl, process.env, into),
    )
    console.log(`${path}: ${engine}, ${takenAt}, ${bytes} bytes, SHA-256 ${sha256}`)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError || isOfTheSystem(error))) throw error
    console.error(error.message)
    return 1
  }
}

/** A system error, such as a full disk, an unwritable file or a lost connection. */
function isOfTheSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}
