import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ExchangeQuestion, Holding } from './exchange-process.ts'

/** An exchange in a process of its own. */
export interface ExchangeRun {
  /** `host:port` of its server. */
  readonly host: string
  token(): Promise<string>
  /** How many calls live. */
  live(): Promise<number>
  measure(): Promise<Holding>
  close(): Promise<void>
}

/** @param mostDescriptors how many files and sockets the process may have open; default: as many as we */
export async function runExchange({
  mostDescriptors,
}: {
  mostDescriptors?: number
} = {}): Promise<ExchangeRun> {
  const limit = mostDescriptors === undefined ? '' : `ulimit -n ${mostDescriptors}; `
  const program = [process.execPath, '--expose-gc', join(import.meta.dirname, 'exchange-process.ts')]
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, ...program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    host: `127.0.0.1:${port}`,
    token: async () => (await ask(child, { kind: 'token' })) as string,
    live: async () => (await ask(child, { kind: 'live' })) as number,
    measure: async () => (await ask(child, { kind: 'measure' })) as Holding,
    close: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** One question at a time: answers carry no number. */
async function ask(child: ChildProcess, question: ExchangeQuestion): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(question)
  const [{ value }] = (await answered) as [{ value: unknown }]
  return value
}
