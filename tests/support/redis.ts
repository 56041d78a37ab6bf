import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, isListening, isMissing } from './program.ts'
import { findFreePort } from './test-server.ts'

export function findRedis(): string | undefined {
  return findProgram('redis-server')
}

export function redisIsMissing(): boolean {
  return isMissing(findRedis(), 'Redis', 'redis-server')
}

/** A Redis on a free port of 127.0.0.1, without persistence. */
export interface RedisServer {
  readonly url: string
  /** Kills it as a crash would; `start` starts an empty one. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Keeps its connections open but stops answering until `wake`. */
  hang(): void
  wake(): void
  close(): Promise<void>
}

export async function startRedis({ password }: { readonly password?: string } = {}): Promise<RedisServer> {
  const program = findRedis()
  if (program === undefined) throw new Error('Redis is not installed')
  const directory = mkdtempSync(join(tmpdir(), 'farline-redis-'))
  const port = await findFreePort()
  let child: ChildProcess | undefined
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '']
    if (password !== undefined) settings.push('--requirepass', password)
    child = spawn(program, [...settings, '--appendonly', 'no', '--daemonize', 'no'], { stdio: 'ignore' })
    await isListening(child, port)
  }
  const endWithUs = () => child?.kill('SIGKILL')
  process.once('exit', endWithUs)
  await start()
  return {
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    stop,
    start,
    hang: () => child?.kill('SIGSTOP'),
    wake: () => child?.kill('SIGCONT'),
    close: async () => {
      await stop()
      process.off('exit', endWithUs)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
