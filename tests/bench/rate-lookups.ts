import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { findFreePort, startTestServer } from '#support/test-server.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'

const rounds = 5
const seconds = 3
const connections = 16
const path = '/api/rates/number/+442079460958'

/** Requests a second: our rate lookup beside the least that Node itself does, by turns in one run. */
export async function benchRateLookups(): Promise<Figure[]> {
  const server = await startTestServer()
  const bare = await startBareServer()
  const ours: number[] = []
  const theirs: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await load(`${server.url}${path}`))
      theirs.push(await load(`http://localhost:${bare.port}${path}`))
    }
  } finally {
    await server.close()
    bare.child.kill()
  }
  const [own, peer] = [median(ours), median(theirs)]
  return [
    { what: 'rate lookups a second', value: own.toFixed(0) },
    { what: 'a bare node:http server, same answer, same run', value: peer.toFixed(0) },
    { what: 'ratio', value: (own / peer).toFixed(2) },
  ]
}

async function load(url: string): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`the load on ${url} had failures`)
  return result.requests.average
}

async function startBareServer(): Promise<{ child: ChildProcess; port: number }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), String(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return { child, port }
}
