import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDirectory } from './embedded-template.ts'
import { findFreePort } from './test-server.ts'

/** `server/main.ts` as a process of its own, seen from outside as a person or a service manager sees it. */
export interface ServerRun {
  readonly child: ChildProcess
  /** All that it has written so far, to either stream. */
  output(): string
  /** Resolves once the output matches. */
  until(pattern: RegExp): Promise<void>
  /** Its exit code, or the signal that ended it. */
  exitCode(): Promise<number | NodeJS.Signals>
}

const root = join(import.meta.dirname, '..', '..')
const runs: ServerRun[] = []
const directories: string[] = []

/** Starts the server with this environment and nothing of ours but PATH. End it with `endRuns`. */
export function run(environment: Record<string, string>): ServerRun {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  const started: ServerRun = {
    child,
    output: () => output,
    until: async pattern => {
      while (!pattern.test(output)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`the server ended: ${output}`)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    exitCode: () => exited,
  }
  runs.push(started)
  return started
}

/**
 * A free port and a data directory, which `endRuns` removes.
 * @param data `empty`, as on a fresh machine, or with a database that holds nothing yet
 */
export async function environment(
  data: 'empty' | 'prepared' = 'prepared',
): Promise<{ PORT: string; DATA_DIR: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-main-'))
  if (data === 'prepared') fillDirectory(directory)
  directories.push(directory)
  return { PORT: String(await findFreePort()), DATA_DIR: directory }
}

/** Kills what still runs and removes what it wrote; for `afterEach`. */
export async function endRuns(): Promise<void> {
  for (const { child, exitCode } of runs.splice(0)) {
    child.kill('SIGKILL')
    await exitCode()
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
}
