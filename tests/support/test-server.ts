import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CallObservation } from '#server/telephony/exchange/exchange.ts'
import type { Damage } from './bad-network-sound.ts'
import type { Breach } from './books.ts'

export type Question =
  | { readonly kind: 'advance'; readonly ms: number }
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

/** A running server that a test looks into, moves the clock of, and kills. */
export interface TestServer {
  readonly url: string
  /** Moves the server's clock on. */
  advance(ms: number): Promise<void>
  liveCalls(): Promise<string[]>
  observe(callId: string): Promise<CallObservation | undefined>
  findBreaches(): Promise<Breach[]>
  /** The ledger's entries of a call: key and micro-dollars. */
  charges(callId: string): Promise<{ key: string; amount: number }[]>
  /** Lets no packet of sound in or out while lost: a black hole. */
  loseSound(lost: boolean): Promise<void>
  /** Spoils sound over UDP without losing it altogether; zeros: no more. */
  damageSound(damage: Damage): Promise<void>
  /** Lets nothing but TCP through, or UDP again. */
  closeUdp(closed: boolean): Promise<void>
  /** The account may not call any more. */
  restrict(email: string): Promise<void>
  /** Memory that the server holds. */
  residentBytes(): Promise<number>
  /** Processor time that the server has used, all of its threads together. */
  cpuSeconds(): Promise<number>
  /** `npm run admin -- ...` against this server. */
  admin(...args: string[]): Promise<string>
  /** Asks it to stop, as a system does. */
  stop(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** Starts it again on the same data and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface TestServerOptions {
  readonly environment?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..', '..')
/** Where the end-to-end run keeps all that its servers log, to look through it at its end (`server-logs.ts`). */
const serverLogs = process.env['FARLINE_SERVER_LOGS']

/** @param environment variables of the server beside those that every test needs */
export async function startTestServer({ environment = {} }: TestServerOptions = {}): Promise<TestServer> {
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
    // Calls of stories are short: none is given back, but where a story is of that.
    CALL_CREDITS_PER_MONTH: '0',
    LOG_LEVEL: serverLogs === undefined ? 'error' : 'trace',
    ...environment,
  }
  let child = await launch(env)
  const ask = (question: Question) => askChild(child, question)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    url,
    advance: async ms => {
      await ask({ kind: 'advance', ms })
    },
    liveCalls: async () => (await ask({ kind: 'live calls' })) as string[],
    observe: async callId => (await ask({ kind: 'observe', callId })) as CallObservation | undefined,
    findBreaches: async () => (await ask({ kind: 'breaches' })) as Breach[],
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
      child = await launch(env)
    },
    close: async () => {
      await end('SIGKILL')
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function launch(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const log = serverLogs === undefined ? 'inherit' : openSync(join(serverLogs, `${env['PORT']}.log`), 'a')
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
