import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDirectory } from './embedded-template.ts'
import { findFreePort } from './test-server.ts'

/** `server/main.ts` in its own process, observed from outside like by a service manager. */
export interface ServerRun {
  readonly child: ChildProcess
  /** All output so far, of both streams. */
  output(): string
  until(pattern: RegExp): Promise<void>
  /** The exit code, or the signal that ended it. */
  exitCode(): Promise<number | NodeJS.Signals>
}

const root = join(import.meta.dirname, '..', '..')
const runs: ServerRun[] = []
const directories: string[] = []

/** Starts the server with this environment; only PATH is inherited. End it with `endRuns`. */
export function run(
  environment: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, 'server/main.ts'],
): ServerRun {
  const child = spawn(program, args, {
    cwd: root,
    // A group of its own, so that nothing it started outlives the test.
    detached: true,
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
 * A free port and a data directory, which `endRuns` deletes.
 * @param data `empty`: a fresh machine; `prepared`: with an empty database
 */
export async function environment(
  data: 'empty' | 'prepared' = 'prepared',
): Promise<{ PORT: string; DATA_DIR: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-main-'))
  if (data === 'prepared') fillDirectory(directory)
  directories.push(directory)
  return { PORT: String(await findFreePort()), DATA_DIR: directory }
}

/** Kills running servers and deletes their data; for `afterEach`. */
export async function endRuns(): Promise<void> {
  for (const { child, exitCode } of runs.splice(0)) {
    if (child.pid !== undefined) killGroup(child.pid)
    await exitCode()
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended
  }
}
