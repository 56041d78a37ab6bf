import { existsSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { login } from '#lib/api/sign-in.ts'
import { voiceToken } from '#lib/api/token.ts'
import { hashPassword, verifyPassword } from '#server/identity/passwords.ts'
import { findNginx, startNginx } from '#support/nginx.ts'
import { findFreePort, type TestServer } from '#support/test-server.ts'
import { startBareNginx } from './bare-nginx.ts'
import { type Sent, sendAll } from './http-load.ts'
import { formatLatencies, sendPaced } from './latency.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'
import { startPeer } from './peer.ts'
import { addBuyers, type Shop, withShop } from './shop.ts'
import { benchSockets } from './sockets.ts'

export interface LoadSize {
  readonly rounds: number
  readonly seconds: number
  readonly signIns: number
  readonly sockets: number
}
const whole: LoadSize = { rounds: 3, seconds: 1, signIns: 240, sockets: 10_000 }

const connections = 16
/** Requests a second at which latencies are taken: a pace that each of the servers keeps up with. */
const pacePerSecond = 300
const pacedSeconds = 3
const siteDirectory = join(import.meta.dirname, '..', '..', 'dist')
const page = 'faq'
const password = 'correct horse battery'

/**
 * One machine under load, each figure beside a server that does the least for the same answer, in the same run. Clients, servers
 * and PostgreSQL share its processors, so the ratios say more than the figures.
 */
export async function benchLoad(size: LoadSize = whole): Promise<Figure[]> {
  const figures = await withShop(async shop => [
    ...(await benchPages(shop.server, size)),
    ...(await benchRates(shop.server, size)),
    ...(await benchTokens(shop, size)),
    ...(await benchSignIns(shop, size)),
    ...(await benchSockets(shop, size.sockets)),
  ])
  return figures ?? [{ what: 'load on one machine', value: 'SKIPPED: PostgreSQL is not installed' }]
}

interface Contender {
  readonly name: string
  readonly url: string
}

async function benchPages(server: TestServer, size: LoadSize): Promise<Figure[]> {
  const file = join(siteDirectory, `${page}.html.br`)
  if (!existsSync(file)) throw new Error('the site is not built')
  const sent: Sent = { path: `/${page}`, headers: { 'accept-encoding': 'br, gzip' } }
  const ours = { name: 'ours', url: server.url }
  const bare = await startPeer('bare-page.ts', file)
  const bareNode = { name: 'a bare node:http server', url: bare.url }
  const program = findNginx()
  try {
    if (program === undefined) {
      const skipped = { what: 'static page from nginx', value: 'SKIPPED: nginx is not installed' }
      return [...(await compare('static page', ours, [bareNode], sent, size)), skipped]
    }
    return await withNginx(program, server.url, peers =>
      compare('static page', ours, [bareNode, ...peers], sent, size),
    )
  } finally {
    bare.close()
  }
}

/** nginx with the file itself, and nginx as we deploy it, which asks our server for a page once a second. */
async function withNginx<Value>(
  program: string,
  serverUrl: string,
  work: (peers: readonly Contender[]) => Promise<Value>,
): Promise<Value> {
  const alone = await startBareNginx(program, siteDirectory)
  const port = await findFreePort()
  const deployed = await startNginx({
    port,
    site: siteDirectory,
    servers: [`127.0.0.1:${new URL(serverUrl).port}`],
  })
  try {
    return await work([
      { name: 'nginx', url: alone.url },
      { name: 'ours behind nginx', url: `http://127.0.0.1:${port}` },
    ])
  } finally {
    await deployed.close()
    await alone.close()
  }
}

async function benchRates(server: TestServer, size: LoadSize): Promise<Figure[]> {
  const sent: Sent = { path: '/api/rates/number/+442079460958', headers: {} }
  return compareWithBareServer('rate lookup', server.url, sent, size)
}

async function benchTokens({ server, db, signIn }: Shop, size: LoadSize): Promise<Figure[]> {
  const [userId = ''] = await addBuyers(db, 1)
  const sent: Sent = { path: voiceToken.path, headers: await signIn(userId) }
  return compareWithBareServer('voice token (PostgreSQL)', server.url, sent, size)
}

async function compareWithBareServer(
  what: string,
  url: string,
  sent: Sent,
  size: LoadSize,
): Promise<Figure[]> {
  const bare = await startPeer('bare-server.ts')
  try {
    return await compare(
      what,
      { name: 'ours', url },
      [{ name: 'a bare node:http server', url: bare.url }],
      sent,
      size,
    )
  } finally {
    bare.close()
  }
}

/** Requests a second at full load, by turns, then latencies at one pace for all. */
async function compare(
  what: string,
  ours: Contender,
  peers: readonly Contender[],
  sent: Sent,
  { rounds, seconds }: LoadSize,
): Promise<Figure[]> {
  const all = [ours, ...peers]
  const rates = new Map<Contender, number[]>(all.map(contender => [contender, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of all) rates.get(contender)?.push(await fullLoad(contender.url, sent, seconds))
  }
  const figures: Figure[] = []
  const perSecond = (contender: Contender) => median(rates.get(contender) ?? [])
  const paced = Array.from({ length: pacePerSecond * pacedSeconds }, () => sent)
  for (const contender of all) {
    const latencies = await sendPaced(contender.url, paced, pacePerSecond)
    const ratio = contender === ours ? '' : ` (ratio ${(perSecond(ours) / perSecond(contender)).toFixed(2)})`
    figures.push(
      { what: `${what}, a second: ${contender.name}`, value: `${perSecond(contender).toFixed(0)}${ratio}` },
      { what: `${what}, ${pacePerSecond} a second: ${contender.name}`, value: formatLatencies(latencies) },
    )
  }
  return figures
}

async function fullLoad(url: string, { path, headers }: Sent, seconds: number): Promise<number> {
  const result = await autocannon({
    url: url + path,
    headers: { ...headers },
    connections,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`the load on ${url}${path} had failures`)
  return result.requests.average
}

/** Sign-ins are argon2's: how many there are a second, and which part of the processor time is its. */
async function benchSignIns({ server, db }: Shop, { signIns }: LoadSize): Promise<Figure[]> {
  const hash = await hashPassword(password)
  const users = await addBuyers(db, signIns)
  const rows = await db.query<{ email: string }>(
    'update app_user set password_hash = $1 where id = any($2::uuid[]) returning email',
    [hash, users],
  )
  const presses = rows.map(
    ({ email }, index): Sent => ({
      path: login.path,
      headers: {
        'content-type': 'application/json',
        // Each from an address of their own: the limits are not what is measured.
        'x-forwarded-for': `198.18.${Math.floor(index / 250)}.${index % 250}`,
      },
      body: JSON.stringify({ email, password }),
    }),
  )
  const bare = await startPeer('bare-sign-in.ts', hash)
  try {
    const argon2Seconds = await oneByOne(hash)
    const before = await server.cpuSeconds()
    const ours = await sendAll(server.url, presses, connections)
    const cpuMs = (((await server.cpuSeconds()) - before) * 1000) / signIns
    const theirs = await sendAll(bare.url, presses, connections)
    const pace = Math.max(1, Math.floor(ours.perSecond / 3))
    const alone = await sendPaced(server.url, presses.slice(0, pace * pacedSeconds), pace)
    const share = (argon2Seconds * 1000 * 100) / cpuMs
    return [
      { what: 'sign-ins a second (PostgreSQL)', value: ours.perSecond.toFixed(0) },
      {
        what: 'a bare node:http server that checks the same argon2id hash',
        value: `${theirs.perSecond.toFixed(0)} (ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)})`,
      },
      { what: `sign-ins, ${pace} a second`, value: formatLatencies(alone) },
      {
        what: 'processor time of a sign-in, and the share of argon2id',
        value: `${cpuMs.toFixed(1)} ms, ${Math.min(100, share).toFixed(0)} %`,
      },
    ]
  } finally {
    bare.close()
  }
}

/** Processor seconds of one check of a password, with nothing beside it. */
async function oneByOne(hash: string): Promise<number> {
  const checks = 20
  const before = process.cpuUsage()
  for (let count = 0; count < checks; count += 1) await verifyPassword(hash, password)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6 / checks
}
