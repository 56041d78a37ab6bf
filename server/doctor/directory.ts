import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { requireUsableSocketPath } from '../admin/socket-path.ts'
import { DirectoryInUse, lockDirectory } from '../db/directory-lock.ts'
import type { Check, Finding, Findings } from '../process/finding.ts'
import { StartError } from '../process/start-error.ts'

const mebibyte = 2 ** 20
/** Warning threshold: below it a day of calls may fill the disk, and the embedded database needs room for its log. */
const littleBytes = 1024 * mebibyte
const nothingBytes = 64 * mebibyte

export function checkDirectory(config: {
  readonly dataDirectory: string
  readonly databaseUrl: string | undefined
  readonly tokenSecret: string | undefined
}): Check {
  const directory = resolve(config.dataDirectory)
  return {
    about: 'Data directory',
    run: async find => {
      try {
        requireUsableSocketPath(directory)
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        return [find.problem(error.message, 'The server does not start in this directory.')]
      }
      const there = existsSync(directory)
      const parent = firstThatExists(directory)
      const unwritable = await cannotWrite(parent)
      if (unwritable !== undefined) {
        return [
          find.problem(
            `This user cannot write to ${parent} (${unwritable}).`,
            'Make the user that runs the server its owner, or set DATA_DIR to another directory.',
          ),
        ]
      }
      return [
        there ? whoHasIt(directory, find) : find.ok(`The first start creates ${directory}.`),
        ...(await room(parent, find)),
        ...(config.databaseUrl === undefined
          ? [find.ok('It holds the embedded database, which is meant for one machine and for trials.')]
          : []),
        ...(config.tokenSecret === undefined
          ? [find.ok('It holds the secret that signs tokens: back it up as well, or set TOKEN_SECRET.')]
          : []),
      ]
    },
  }
}

function firstThatExists(path: string): string {
  return existsSync(path) ? path : firstThatExists(dirname(path))
}

/** @returns why not; undefined when it can */
async function cannotWrite(directory: string): Promise<string | undefined> {
  const file = join(directory, `doctor-${randomUUID()}`)
  try {
    await writeFile(file, 'may I?', { flag: 'wx' })
    await rm(file)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

function whoHasIt(directory: string, find: Findings): Finding {
  try {
    lockDirectory(directory).release()
    return find.ok(`${directory} is writable. No server uses it.`)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return find.ok(`${directory} is writable. A server uses it.`)
  }
}

async function room(directory: string, find: Findings): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(directory)
  return [roomLeft(bavail * bsize, find)]
}

/** @param free bytes */
export function roomLeft(free: number, find: Findings): Finding {
  const says = `${Math.floor(free / mebibyte).toLocaleString('en-US')} MiB are free on its disk.`
  if (free >= littleBytes) return find.ok(says)
  const mend = 'Free some space, or set DATA_DIR to another disk.'
  return free >= nothingBytes ? find.warning(says, mend) : find.problem(says, mend)
}
