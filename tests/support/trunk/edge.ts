import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  explainMissingTrunkPackages,
  findMissingTrunkPackages,
  hasKamailioModule,
} from '#scripts/trunk-programs.mjs'
import type { Certificate } from '../certificate.ts'
import { isListening, isMissing } from '../program.ts'
import { startRedis } from '../redis.ts'
import { findFreePort } from '../test-server.ts'

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy', 'trunk')
const script = join(deploy, 'edge-run')

/** Whether a trunk cannot be tested here; then it says so. */
export function trunkIsMissing(): boolean {
  const missing = findMissingTrunkPackages()
  if (missing.length > 0) console.log(`SKIPPED: ${explainMissingTrunkPackages(missing)}`)
  return missing.length > 0
}

/** Whether a module of Kamailio's is missing that has a package of its own; then it says so. */
export function moduleIsMissing(name: 'tls' | 'secsipid'): boolean {
  const found = hasKamailioModule(name) ? name : undefined
  return isMissing(found, `Kamailio's module ${name}`, `kamailio-${name}-modules`)
}

export interface EdgeOptions {
  /** Lines of the dispatcher's list. */
  readonly carriers: readonly string[]
  /** Certificates in PEM files: of the edge itself, and of the authority that it believes. */
  readonly tls?: { readonly own: Certificate; readonly authority: string; readonly names: string }
  /** Settings beyond those of every edge: `EDGE_STIR_KEY`. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Kamailio with `deploy/trunk/kamailio.cfg`, on free ports of 127.0.0.1, and a Redis of its own. */
export interface Edge {
  readonly control: string
  readonly redis: string
  /** Host and port where carriers find it. */
  readonly sip: string
  log(): string
  isAlive(): boolean
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Kills its Redis. */
  stopRedis(): Promise<void>
  close(): Promise<void>
}

export async function startEdge({ carriers, tls, environment }: EdgeOptions): Promise<Edge> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-edge-'))
  const list = join(directory, 'carriers.list')
  writeFileSync(list, `${carriers.join('\n')}\n`)
  const redis = await startRedis({ password: randomUUID() })
  const [controlPort, sipPort] = [await findFreePort(), await findFreeUdpPort()]
  const { hostname, port, password } = new URL(redis.url)
  const env = {
    ...process.env,
    // Where Debian has Kamailio, which the PATH of its ordinary users lacks.
    PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`,
    EDGE_CONTROL: `tcp:127.0.0.1:${controlPort}`,
    EDGE_SIP: `udp:127.0.0.1:${sipPort}`,
    EDGE_SERVERS: '127.0.0.1/32',
    EDGE_CARRIERS: list,
    EDGE_REDIS: `addr=${hostname};port=${port};db=1;pass=${password}`,
    EDGE_DIALOGS: `${redis.url}/1`,
    ...(tls === undefined ? {} : await writeTlsSettings(directory, tls)),
    ...environment,
  }
  const logFile = join(directory, 'log')
  let child: ChildProcess | undefined
  const kill = async () => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    // Its processes are a group: they would survive the first one, and keep its ports.
    process.kill(-child.pid, 'SIGKILL')
    await gone
  }
  const start = async () => {
    const run = mkdtempSync(join(directory, 'run-'))
    // 16 MB of shared memory: the default of 64 is for thousands of calls.
    child = spawn('bash', ['-c', `exec "$0" -w "$1" -Y "$1" -m 16 >>"$2" 2>&1`, script, run, logFile], {
      env,
      detached: true,
      stdio: 'ignore',
    })
    await isListening(child, controlPort).catch(error => {
      throw new Error(`the edge did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`, {
        cause: error,
      })
    })
  }
  const endWithUs = () => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL')
  }
  // Before it starts: a signal may come while it does.
  process.once('exit', endWithUs)
  await start()
  return {
    control: `http://127.0.0.1:${controlPort}`,
    redis: `${redis.url}/1`,
    sip: `127.0.0.1:${sipPort}`,
    log: () => readFileSync(logFile, 'utf8'),
    isAlive: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    kill,
    start,
    stopRedis: redis.stop,
    close: async () => {
      await kill()
      process.off('exit', endWithUs)
      await redis.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function findFreeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>(resolve => socket.close(() => resolve()))
  return port
}

/** @returns environment for an edge with `deploy/trunk/tls.cfg` */
async function writeTlsSettings(
  directory: string,
  { own, authority, names }: NonNullable<EdgeOptions['tls']>,
): Promise<Readonly<Record<string, string>>> {
  const settings = readFileSync(join(deploy, 'tls.cfg'), 'utf8')
    .replaceAll('/etc/farline/edge-certificate.pem', own.certificate)
    .replaceAll('/etc/farline/edge-key.pem', own.key)
    .replaceAll('/etc/ssl/certs/ca-certificates.crt', authority)
  const file = join(directory, 'tls.cfg')
  writeFileSync(file, settings)
  return {
    EDGE_TLS: `tls:127.0.0.1:${await findFreePort()}`,
    EDGE_TLS_CONFIG: file,
    EDGE_TLS_NAMES: names,
  }
}
