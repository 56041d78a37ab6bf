import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const root = join(import.meta.dirname, '..', '..')
const admin = pathToFileURL(join(root, 'server', 'admin.ts')).href

const environmentOf = (dataDirectory: string) => ({ PATH: process.env.PATH ?? '', DATA_DIR: dataDirectory })

export async function spawnNode(dataDirectory: string, args: readonly string[]): Promise<CommandEnd> {
  const child = spawn(process.execPath, args, { cwd: root, env: environmentOf(dataDirectory) })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => (stdout += String(chunk)))
  child.stderr.on('data', chunk => (stderr += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** Runs an admin command as an operator does, in its own process. */
export const spawnAdmin = (dataDirectory: string, args: readonly string[]) =>
  spawnNode(dataDirectory, ['server/admin.ts', ...args])

let turn: Promise<unknown> = Promise.resolve()
let turns = 0

/**
 * Runs an admin command in this process, which is faster than starting another. One at a time, because arguments,
 * environment, output and exit code belong to the process.
 */
export function runAdmin(dataDirectory: string, args: readonly string[]): Promise<CommandEnd> {
  const mine = turn.then(() => takeTurn(dataDirectory, args))
  turn = mine.catch(() => {})
  return mine
}

async function takeTurn(dataDirectory: string, args: readonly string[]): Promise<CommandEnd> {
  const { argv, env, exitCode } = process
  const { log, error } = console
  const [stdout, stderr]: [string[], string[]] = [[], []]
  try {
    process.argv = [process.execPath, admin, ...args]
    process.env = environmentOf(dataDirectory)
    console.log = line => stdout.push(`${line}\n`)
    console.error = line => stderr.push(`${line}\n`)
    turns += 1
    // Node runs a module once per URL, so each run needs a new one.
    await import(/* @vite-ignore */ `${admin}?turn=${turns}`)
    return { code: Number(process.exitCode), stdout: stdout.join(''), stderr: stderr.join('') }
  } finally {
    Object.assign(process, { argv, env, exitCode })
    Object.assign(console, { log, error })
  }
}
