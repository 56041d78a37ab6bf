import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sent } from './http-load.ts'

/** The time that this share of the requests stayed below, in milliseconds. */
export interface Latencies {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export function latenciesOf(ms: readonly number[]): Latencies {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** `p50 0.9 ms, p95 1.4 ms, p99 3.0 ms` */
export function formatLatencies({ p50, p95, p99 }: Latencies): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

/**
 * Sends requests at a steady pace whatever the answers do, as people come, each counted from the moment at which it was due:
 * a server that stalls is not asked less for it.
 * @throws Error when one is not answered with a 200
 */
export async function sendPaced(origin: string, all: readonly Sent[], perSecond: number): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const began = performance.now()
  const answers: Promise<number>[] = []
  try {
    for (const [index, sent] of all.entries()) {
      const dueMs = began + (index * 1000) / perSecond
      const waitMs = dueMs - performance.now()
      if (waitMs > 1) await sleep(waitMs)
      const answer = send(agent, origin, sent, dueMs)
      // Awaited below; until then a failure is nobody's.
      answer.catch(() => undefined)
      answers.push(answer)
    }
    return latenciesOf(await Promise.all(answers))
  } finally {
    agent.destroy()
  }
}

function send(agent: Agent, origin: string, { path, headers, body }: Sent, dueMs: number): Promise<number> {
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const sending = request(`${origin}${path}`, { agent, method, headers }, response => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - dueMs)
        else reject(new Error(`${path} answered ${response.statusCode}`))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}
