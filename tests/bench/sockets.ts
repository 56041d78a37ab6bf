import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import type { Figure } from './main.ts'
import { startPeer } from './peer.ts'
import { addBuyers, type Shop } from './shop.ts'

const clientProcesses = 2
/** Descriptors that a server has open besides its sockets. */
const otherDescriptors = 500
/** Different people among the sockets; each has several pages open. */
const people = 200
/** Memory has come to rest when it changes by less than this within a second. */
const restBytes = 1024 ** 2
const longestRestSeconds = 8

interface Measured {
  readonly bytesEach: number
  readonly perSecond: number
  readonly idleCpuShare: number
}

/** Idle sockets, signed in and registered: memory of each, and how fast they come, beside a bare socket.io server. */
export async function benchSockets({ server, db, keys }: Shop, asked: number): Promise<Figure[]> {
  const sockets = Math.min(asked, maxDescriptors() - otherDescriptors)
  const users = await addBuyers(db, people)
  const tokens = await Promise.all(users.map(id => signAccessToken(keys.access, id, systemClock)))
  const identities = users.flatMap((id, index) => [id, tokens[index] ?? ''])
  const bare = await startPeer('bare-sockets.ts')
  try {
    // Memory that earlier work has left free would hide what sockets take.
    await server.stop()
    await server.restart()
    const theirs = await measure(bare.url, sockets, identities, () => bare.usage())
    const ours = await measure(server.url, sockets, identities, async () => ({
      residentBytes: await server.residentBytes(),
      cpuSeconds: await server.cpuSeconds(),
    }))
    const kilobytes = ({ bytesEach }: Measured) => `${(bytesEach / 1024).toFixed(1)} KiB`
    const fewer = sockets < asked ? ` (no more descriptors: ${asked} were asked for)` : ''
    return [
      { what: `memory of each of ${sockets} idle sockets${fewer}`, value: kilobytes(ours) },
      {
        what: 'a bare socket.io server with as many, same run',
        value: `${kilobytes(theirs)} (ratio ${(ours.bytesEach / theirs.bytesEach).toFixed(2)})`,
      },
      {
        what: 'sockets opened, signed in and registered a second',
        value: `${ours.perSecond.toFixed(0)} (bare ${theirs.perSecond.toFixed(0)})`,
      },
      {
        what: `processor while ${sockets} sockets are idle, of one core`,
        value: `${(ours.idleCpuShare * 100).toFixed(1)} % (bare ${(theirs.idleCpuShare * 100).toFixed(1)} %)`,
      },
    ]
  } finally {
    bare.close()
  }
}

async function measure(
  url: string,
  sockets: number,
  identities: readonly string[],
  usage: () => Promise<{ residentBytes: number; cpuSeconds: number }>,
): Promise<Measured> {
  // The first ones bring code and buffers that the others share.
  const warm = await openSockets(url, clientProcesses * 50, identities)
  await atRest(usage)
  const before = await usage()
  const began = performance.now()
  const clients = await openSockets(url, sockets, identities)
  const seconds = (performance.now() - began) / 1000
  try {
    const residentBytes = await atRest(usage)
    const idle = await usage()
    await sleep(3000)
    const later = await usage()
    return {
      bytesEach: (residentBytes - before.residentBytes) / sockets,
      perSecond: sockets / seconds,
      idleCpuShare: (later.cpuSeconds - idle.cpuSeconds) / 3,
    }
  } finally {
    for (const client of [...warm, ...clients]) client.kill('SIGKILL')
    await sleep(1000)
  }
}

/** @returns processes that hold the sockets until they are killed */
async function openSockets(
  url: string,
  count: number,
  identities: readonly string[],
): Promise<ChildProcess[]> {
  const address = url.replace('http:', 'ws:').replace('localhost', '127.0.0.1')
  const clients = Array.from({ length: clientProcesses }, () =>
    spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'socket-clients.ts'),
        address,
        String(count / clientProcesses),
        ...identities,
      ],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    ),
  )
  const ready = clients.map(async client => {
    const [first] = await Promise.race([once(client, 'message'), once(client, 'exit')])
    if (first !== 'ready') throw new Error('the sockets could not all be opened')
  })
  try {
    await Promise.all(ready)
  } catch (error) {
    for (const client of clients) client.kill('SIGKILL')
    throw error
  }
  return clients
}

/** Resident memory once it has come to rest, or after some seconds. */
async function atRest(usage: () => Promise<{ residentBytes: number }>): Promise<number> {
  let last = (await usage()).residentBytes
  for (let second = 0; second < longestRestSeconds; second += 1) {
    await sleep(1000)
    const { residentBytes } = await usage()
    if (Math.abs(residentBytes - last) < restBytes) return residentBytes
    last = residentBytes
  }
  return last
}

/** What a process may have open: Node raises its own limit to the hard one when it starts. */
function maxDescriptors(): number {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })
  const limit = Number(stdout)
  return Number.isInteger(limit) ? limit : Number.MAX_SAFE_INTEGER
}
