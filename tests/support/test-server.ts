import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PolicyOverrides } from '#server/config/policy-overrides.ts'
import type { CallObservation } from '#server/telephony/exchange/exchange.ts'
import type { Damage } from './bad-network-sound.ts'
import type { Breach } from './books.ts'
import { findErrors } from './server-logs.ts'

export type Question =
  | { readonly kind: 'advance' | 'leap'; readonly ms: number }
  | { readonly kind: 'now' }
  | { readonly kind: 'live calls' }
  | { readonly kind: 'observe'; readonly callId: string }
  | { readonly kind: 'breaches' }
  | { readonly kind: 'resident bytes' }
  | { readonly kind: 'cpu seconds' }
  | { readonly kind: 'charges'; readonly callId: string }
  | { readonly kind: 'lose sound'; readonly lost: boolean }
  | { readonly kind: 'damage sound'; readonly damage: Damage }
  | { readonly kind: 'close udp'; readonly closed: boolean }
  | { readonly kind: 'restrict'; readonly email: string }
  | { readonly kind: 'credit'; readonly email: string; readonly usd: number }
  | { readonly kind: 'add callers'; readonly count: number; readonly cents: number }
  | { readonly kind: 'calls' }
  | { readonly kind: 'tables with'; readonly text: string }

/** A call as the books have it. */
export interface BookedCall {
  readonly id: string
  readonly state: 'placed' | 'ringing' | 'answered' | 'ended'
  readonly limitMs: number
  readonly minutesCharged: number
  /** When the first carrier was tried, in milliseconds since 1970; null if none was. */
  readonly triedAtMs: number | null
}

/** A running server that a test can inspect, move in time, and kill. */
export interface TestServer {
  readonly url: string
  /** The server's time: earlier tests may have moved its clock. */
  now(): Promise<Date>
  /** Moves the server's clock forward in steps of one second. */
  advance(ms: number): Promise<void>
  /** Moves the clock at once, also by days. Only without live calls, because their lines would look dead. */
  leap(ms: number): Promise<void>
  liveCalls(): Promise<string[]>
  observe(callId: string): Promise<CallObservation | undefined>
  findBreaches(): Promise<Breach[]>
  /**
   * The errors that the server logged since this was last asked (`findErrors`). None where its log is not kept, which the
   * end-to-end run does.
   */
  newErrors(): readonly string[]
  /** The call's ledger transfers: key and micro-dollars. */
  charges(callId: string): Promise<{ key: string; amount: number }[]>
  /** Drops all media packets in both directions. */
  loseSound(lost: boolean): Promise<void>
  /** Impairs media over UDP; all zeros ends it. */
  damageSound(damage: Damage): Promise<void>
  closeUdp(closed: boolean): Promise<void>
  restrict(email: string): Promise<void>
  /** Credits an account as the operator's command does, without starting a process for it. */
  credit(email: string, usd: number): Promise<void>
  /** Adds users who have paid so much and have no free call. @returns their voice tokens */
  addCallers(count: number, cents: number): Promise<string[]>
  /** All calls that were admitted. */
  calls(): Promise<BookedCall[]>
  /** The tables of the database that hold a text anywhere. */
  tablesWith(text: string): Promise<string[]>
  residentBytes(): Promise<number>
  /** CPU time of all threads of the server in seconds. */
  cpuSeconds(): Promise<number>
  admin(...args: string[]): Promise<string>
  /** Asks it to stop, as a service manager does. */
  stop(): Promise<void>
  kill(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

export interface TestServerOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly policy?: PolicyOverrides
}

const root = join(import.meta.dirname, '..', '..')
/**
 * Where the servers of the end-to-end run write their logs, which are searched for secrets at the end
 * (`server-logs.ts`).
 */
const serverLogs = process.env['FARLINE_SERVER_LOGS']

/** Short calls earn no goodwill credit by themselves, and all test users pay with the same few cards. */
const testPolicy: PolicyOverrides = { credit: { maxAutomatic: 0 }, accountsPerCard: 100_000 }

/** @param environment additional environment variables of the server @param policy replaces fields of `testPolicy` */
export async function startTestServer({
  environment = {},
  policy = {},
}: TestServerOptions = {}): Promise<TestServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'farline-e2e-'))
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    NODE_ENV: 'test',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDirectory,
    POLICY_OVERRIDES: JSON.stringify({ ...testPolicy, ...policy }),
    LOG_LEVEL: serverLogs === undefined ? 'error' : 'trace',
    ...environment,
  }
  const logFile = serverLogs === undefined ? undefined : join(serverLogs, `${port}.log`)
  let lookedThrough = 0
  let child = await launch(env, logFile)
  const ask = (question: Question) => askChild(child, question)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    url,
    now: async () => new Date((await ask({ kind: 'now' })) as number),
    advance: async ms => {
      await ask({ kind: 'advance', ms })
    },
    leap: async ms => {
      await ask({ kind: 'leap', ms })
    },
    liveCalls: async () => (await ask({ kind: 'live calls' })) as string[],
    observe: async callId => (await ask({ kind: 'observe', callId })) as CallObservation | undefined,
    findBreaches: async () => (await ask({ kind: 'breaches' })) as Breach[],
    newErrors: () => {
      if (logFile === undefined || !existsSync(logFile)) return []
      const log = openSync(logFile, 'r')
      const added = Buffer.alloc(fstatSync(log).size - lookedThrough)
      readSync(log, added, 0, added.length, lookedThrough)
      closeSync(log)
      // The last line may still be being written.
      const end = added.lastIndexOf('\n') + 1
      lookedThrough += end
      return findErrors(added.toString('utf8', 0, end))
    },
    charges: async callId => (await ask({ kind: 'charges', callId })) as { key: string; amount: number }[],
    loseSound: async lost => {
      await ask({ kind: 'lose sound', lost })
    },
    damageSound: async damage => {
      await ask({ kind: 'damage sound', damage })
    },
    closeUdp: async closed => {
      await ask({ kind: 'close udp', closed })
    },
    restrict: async email => {
      await ask({ kind: 'restrict', email })
    },
    credit: async (email, usd) => {
      await ask({ kind: 'credit', email, usd })
    },
    addCallers: async (count, cents) => (await ask({ kind: 'add callers', count, cents })) as string[],
    calls: async () => (await ask({ kind: 'calls' })) as BookedCall[],
    tablesWith: async text => (await ask({ kind: 'tables with', text })) as string[],
    residentBytes: async () => (await ask({ kind: 'resident bytes' })) as number,
    cpuSeconds: async () => (await ask({ kind: 'cpu seconds' })) as number,
    admin: async (...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['server/admin.ts', ...args], {
        cwd: root,
        env,
      })
      return stdout
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      child = await launch(env, logFile)
    },
    close: async () => {
      await end('SIGKILL')
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function launch(env: NodeJS.ProcessEnv, logFile: string | undefined): Promise<ChildProcess> {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server-process.ts')], {
    cwd: root,
    env,
    stdio: ['ignore', log, log, 'ipc'],
  })
  if (typeof log === 'number') closeSync(log)
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if ((first as { ready?: boolean } | null)?.ready !== true) throw new Error('the test server did not start')
  return child
}

let questions = 0
function askChild(child: ChildProcess, question: Question): Promise<unknown> {
  questions += 1
  const id = questions
  return new Promise((resolve, reject) => {
    const listen = (message: { id?: number; value?: unknown; error?: string }) => {
      if (message.id !== id) return
      child.off('message', listen)
      if (message.error === undefined) resolve(message.value)
      else reject(new Error(message.error))
    }
    child.on('message', listen)
    child.send({ id, ...question })
  })
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
