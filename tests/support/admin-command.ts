import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a command line left behind. */
export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const root = join(import.meta.dirname, '..', '..')
const admin = pathToFileURL(join(root, 'server', 'admin.ts')).href

/** The environment of a command: nothing of ours but PATH. */
const environmentOf = (dataDirectory: string) => ({ PATH: process.env.PATH ?? '', DATA_DIR: dataDirectory })

/** Node, as a process of its own. */
export async function spawnNode(dataDirectory: string, args: readonly string[]): Promise<CommandEnd> {
  const child = spawn(process.execPath, args, { cwd: root, env: environmentOf(dataDirectory) })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => (stdout += String(chunk)))
  child.stderr.on('data', chunk => (stderr += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** The operator's command line as an operator runs it. */
export const spawnAdmin = (dataDirectory: string, args: readonly string[]) =>
  spawnNode(dataDirectory, ['server/admin.ts', ...args])

let turn: Promise<unknown> = Promise.resolve()
let turns = 0

/**
 * The operator's command line, all of it, in this process: what starting another takes is saved. One at a time, since
 * arguments, environment, output and exit code belong to the process.
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
    // Under another name each time: a module runs once under each.
    await import(/* @vite-ignore */ `${admin}?turn=${turns}`)
    return { code: Number(process.exitCode), stdout: stdout.join(''), stderr: stderr.join('') }
  } finally {
    Object.assign(process, { argv, env, exitCode })
    Object.assign(console, { log, error })
  }
}
