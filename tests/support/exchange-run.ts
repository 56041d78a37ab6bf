import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ExchangeQuestion, Holding } from './exchange-process.ts'

export interface ExchangeRun {
  /** `host:port` of its server. */
  readonly host: string
  token(userId?: string): Promise<string>
  /** The token of a handset that has claimed this number. */
  claim(number: string): Promise<string>
  live(): Promise<number>
  measure(): Promise<Holding>
  close(): Promise<void>
}

/** @param maxDescriptors limit on the process's open files and sockets; default: the same as ours */
export async function runExchange({
  maxDescriptors,
}: {
  maxDescriptors?: number
} = {}): Promise<ExchangeRun> {
  const limit = maxDescriptors === undefined ? '' : `ulimit -n ${maxDescriptors}; `
  const program = [process.execPath, '--expose-gc', join(import.meta.dirname, 'exchange-process.ts')]
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, ...program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    host: `127.0.0.1:${port}`,
    token: async (userId = 'user-1') => (await ask(child, { kind: 'token', userId })) as string,
    claim: async number => (await ask(child, { kind: 'claim', number })) as string,
    live: async () => (await ask(child, { kind: 'live' })) as number,
    measure: async () => (await ask(child, { kind: 'measure' })) as Holding,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const lastQuestion = new WeakMap<ChildProcess, Promise<unknown>>()

/** One request at a time, because answers carry no id. */
function ask(child: ChildProcess, question: ExchangeQuestion): Promise<unknown> {
  const answer = (lastQuestion.get(child) ?? Promise.resolve()).then(async () => {
    const answered = once(child, 'message')
    child.send(question)
    const [{ value }] = (await answered) as [{ value: unknown }]
    return value
  })
  lastQuestion.set(child, answer)
  return answer
}
