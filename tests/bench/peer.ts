import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findFreePort } from '#support/test-server.ts'

/** What a process that is measured beside our server has used so far. */
export interface Usage {
  readonly residentBytes: number
  readonly cpuSeconds: number
}

/** A process of this folder on a port of its own. */
export interface Peer {
  readonly port: number
  readonly url: string
  readonly child: ChildProcess
  /** Of one that answers each message with its `Usage`. */
  usage(): Promise<Usage>
  close(): void
}

/** @param script beside this file; gets the port, then the other arguments, and says over IPC that it is ready */
export async function startPeer(script: string, ...others: readonly string[]): Promise<Peer> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, script), String(port), ...others], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return {
    port,
    url: `http://localhost:${port}`,
    child,
    usage: async () => {
      const answer = once(child, 'message')
      child.send('usage')
      return ((await answer) as [Usage])[0]
    },
    close: () => child.kill(),
  }
}
