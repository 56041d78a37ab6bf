import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FailpointProcessOptions } from './failpoint-process.ts'

/**
 * Runs a process that carries calls until it is killed.
 * @param killAfterMs time to kill it after it has opened the database, if it does not kill itself
 * @returns `SIGKILL`, or an exit code if it ended otherwise
 */
export async function runUntilKilled(
  options: FailpointProcessOptions,
  killAfterMs?: number,
): Promise<NodeJS.Signals | number> {
  const child = fork(join(import.meta.dirname, 'failpoint-process.ts'), [JSON.stringify(options)], {
    execArgv: [],
  })
  const exited = once(child, 'exit')
  if (killAfterMs !== undefined) {
    await Promise.race([once(child, 'message'), exited])
    await sleep(killAfterMs)
    child.kill('SIGKILL')
  }
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null]
  return signal ?? code ?? Number.NaN
}
