import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PolicyOverrides } from '#server/config/policy-overrides.ts'
import { fakeAccount } from '../fake-twilio/fake-twilio.ts'
import { type Nginx, startNginx } from '../nginx.ts'
import { type PostgresServer, startPostgres } from '../postgres.ts'
import { type RedisServer, startRedis } from '../redis.ts'
import { environment, run, type ServerRun } from '../server-run.ts'
import { findFreePort } from '../test-server.ts'
import { createWorld, type World } from '../world.ts'

/** A server process that a test can kill, stop and restart on the same port and data. */
export interface ClusterServer {
  readonly address: string
  /** Output of this process and its predecessors. */
  output(): string
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops it as a service manager does. @returns the exit code or the signal */
  stop(): Promise<number | NodeJS.Signals>
  /** The answer of its readiness check, and whether it keeps the connection open. */
  ready(): Promise<{ status: number; body: string; connection: string | null }>
}

/** A whole installation on one machine: PostgreSQL, Redis, the fake carrier, three servers, and nginx in front. */
export interface Cluster {
  readonly url: string
  /** Users and books on the same database. Its clock stands still. */
  readonly world: World
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly servers: readonly ClusterServer[]
  readonly nginx: Nginx
  /** Reloads nginx's configuration, as after renewing a certificate. */
  reloadNginx(): void
  /** Sends a control request to the fake carrier; see `fake-twilio/process.ts`. */
  provider<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>
  close(): Promise<void>
}

const root = join(import.meta.dirname, '..', '..', '..')
/** The same as in `createWorld`: the tests sign tokens with it. */
const tokenSecret = 'a secret that only the tests know, and that is long enough'

export async function startCluster(): Promise<Cluster> {
  const [postgres, redis, port, providerPort] = await Promise.all([
    startPostgres({ durable: true }),
    startRedis(),
    findFreePort(),
    findFreePort(),
  ])
  const url = `http://127.0.0.1:${port}`
  const site = mkdtempSync(join(tmpdir(), 'farline-site-'))
  const [world, provider] = await Promise.all([
    createWorld({ engine: { kind: 'postgres', serverUrl: postgres.url }, publicUrl: url }),
    startProvider(providerPort, url),
  ])
  const { accountSid, authToken, apiKey, apiSecret, appSid, publicNumber } = fakeAccount
  const shared = {
    NODE_ENV: 'test',
    PUBLIC_URL: url,
    DATABASE_URL: world.databaseUrl ?? '',
    REDIS_URL: redis.url,
    TOKEN_SECRET: tokenSecret,
    // Two proxies: nginx, and the test client, which sends its address as a CDN would.
    TRUSTED_PROXIES: '2',
    // Tests search the log for secrets.
    LOG_LEVEL: 'trace',
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_API_KEY: apiKey,
    TWILIO_API_SECRET: apiSecret,
    TWILIO_APP_SID: appSid,
    TWILIO_NUMBER: publicNumber,
    TWILIO_API_URL: `http://127.0.0.1:${providerPort}`,
    CALL_ATTEMPTS_PER_HOUR: '10000',
    ANSWERED_CALLS_PER_HOUR: '10000',
    ANSWERED_CALLS_PER_DAY: '100000',
    CONCURRENT_CALLS: '10',
    // The calls last seconds: automatic goodwill credits would hide what was charged.
    POLICY_OVERRIDES: JSON.stringify({ credit: { maxAutomatic: 0 } } satisfies PolicyOverrides),
  }
  const servers = await Promise.all(
    [1, 2, 3].map(async () => createServer({ ...shared, ...(await environment()) })),
  )
  await Promise.all(servers.map(server => server.start()))
  const addresses = servers.map(server => server.address)
  const nginx = await startNginx({ port, site, servers: addresses })
  return {
    url,
    world,
    postgres,
    redis,
    servers,
    nginx,
    reloadNginx: () => nginx.reload(),
    provider: async (method, path, body) => {
      const answer = await fetch(`http://127.0.0.1:${providerPort}/fake/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as never
    },
    close: async () => {
      await nginx.close()
      await Promise.all(servers.map(server => server.kill()))
      provider.kill('SIGKILL')
      await world.close()
      await Promise.all([postgres.stop(), redis.close()])
      rmSync(site, { recursive: true, force: true })
    },
  }
}

function createServer(
  environment: { PORT: string; DATA_DIR: string } & Record<string, string>,
): ClusterServer {
  let current: ServerRun | undefined
  let before = ''
  const address = `127.0.0.1:${environment.PORT}`
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (current === undefined) return 0
    current.child.kill(signal)
    return current.exitCode()
  }
  return {
    address,
    output: () => before + (current?.output() ?? ''),
    start: async () => {
      before += current?.output() ?? ''
      current = run(environment)
      await current.until(/ready at/)
    },
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    ready: async () => {
      const answer = await fetch(`http://${address}/readyz`)
      return {
        status: answer.status,
        body: await answer.text(),
        connection: answer.headers.get('connection'),
      }
    },
  }
}

async function startProvider(port: number, publicUrl: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['tests/support/fake-twilio/process.ts', '--port', String(port), '--public-url', publicUrl],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })
  await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the voice provider did not start')
    }),
  ])
  return child
}
