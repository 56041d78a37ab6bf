import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import { ask } from './ask.ts'
import type { Cluster } from './cluster.ts'

/** Statuses after which a browser retries: no server answered, or one asked for a retry. */
const worthAnotherTry: ReadonlySet<number> = new Set([502, 503, 504])
/** A request without an answer after this time counts as lost. Milliseconds. */
const timeoutMs = 20_000
const number = '+12125550100'

export interface LoadOptions {
  readonly people: number
  readonly talkMs: readonly [min: number, max: number]
}

/** Simulated users who continuously load their page, save contacts and call, through nginx. */
export interface Load {
  readonly answered: number
  readonly repeated: number
  /** Number of calls that rang. */
  readonly calls: number
  /** Lost requests, and unexpected answers. */
  readonly failures: readonly string[]
  /** Each user's page, connected while the load runs. */
  readonly pages: readonly { readonly userId: string; readonly socket: Socket; readonly heard: unknown[] }[]
  /** Contacts whose saving the server confirmed, per user id, by number. */
  readonly saved: ReadonlyMap<string, ReadonlySet<string>>
  /** Resolves once requests are answered and calls ring, counted from now. */
  getsOn(): Promise<void>
  /** Expects that each page receives a charge from now on, whichever processes the page and the meter are on. */
  expectAudioForAll(withinMs: number): Promise<void>
  /** Lets everybody finish the current step and hang up. */
  stop(): Promise<void>
  close(): void
}

export async function startLoad(cluster: Cluster, { people, talkMs }: LoadOptions): Promise<Load> {
  const counts = { answered: 0, repeated: 0, calls: 0 }
  const failures: string[] = []
  const saved = new Map<string, Set<string>>()
  let going = true

  /** Retries until there is an answer other than a request to retry. */
  async function insist<Answer>(
    what: string,
    attempt: () => Promise<Answer | 'again'>,
  ): Promise<Answer | undefined> {
    const until = performance.now() + timeoutMs
    for (;;) {
      const answer = await attempt().catch(() => 'again' as const)
      if (answer !== 'again') {
        counts.answered += 1
        return answer
      }
      if (performance.now() > until) {
        failures.push(`${what}: not answered in ${timeoutMs} ms`)
        return undefined
      }
      counts.repeated += 1
      await sleep(200)
    }
  }

  interface Life {
    readonly userId: string
    readonly socket: Socket
    readonly heard: unknown[]
    readonly over: Promise<void>
  }

  async function live(person: number): Promise<Life> {
    const user = await cluster.world.addUser({ credit: 1000 })
    const token = await signAccessToken(cluster.world.services.keys.access, user.id, systemClock)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.113.${person}`,
    }
    const askFor = (method: string, path: string, body?: object) =>
      insist(`${method} ${path}`, async () => {
        const answer = await ask(`${cluster.url}${path}`, { method, headers, body })
        if (worthAnotherTry.has(answer.status)) return 'again'
        if (answer.status >= 300) failures.push(`${method} ${path}: ${answer.status} ${answer.body}`)
        return answer.status
      })

    async function browse(): Promise<void> {
      const mine = new Set<string>()
      saved.set(user.id, mine)
      for (let n = 0; going; n += 1) {
        await askFor('GET', '/api/protected/me')
        await askFor('GET', '/api/calls')
        const phone_number = `+1212555${String(1000 + n)}`
        const status = await askFor('POST', '/api/contacts', {
          name: `Somebody ${n}`,
          phone_number,
          dial_code: '+1',
          iso_code: 'US',
        })
        if (status !== undefined) mine.add(phone_number)
        // The limit is 60 changes a minute.
        await sleep(1200)
      }
    }

    async function call(): Promise<void> {
      while (going) {
        const leg = await insist('a call', async () => {
          const attempt = await cluster.provider<{ sid: string; outcome: string }>('POST', 'calls', {
            from: user.id,
            to: number,
          })
          return attempt.outcome === 'dialling' ? attempt.sid : 'again'
        })
        if (leg === undefined) continue
        counts.calls += 1
        const over = performance.now() + randomInt(talkMs[0], talkMs[1])
        while (going && performance.now() < over) await sleep(50)
        await cluster.provider('POST', 'hang-up', { sid: leg, by: randomInt(2) === 0 ? 'caller' : 'callee' })
      }
    }

    const heard: unknown[] = []
    const socket = io(cluster.url, {
      auth: { token },
      transports: ['websocket'],
      reconnectionDelay: 200,
      reconnectionDelayMax: 1000,
      extraHeaders: { 'x-forwarded-for': `203.0.113.${person}` },
    })
    socket.on('connect', () => socket.emit('register', user.id))
    socket.on('disconnect', reason => {
      if (reason === 'io server disconnect') socket.connect()
    })
    socket.on('balance', event => heard.push(event))
    return { userId: user.id, socket, heard, over: Promise.all([browse(), call()]).then(() => {}) }
  }

  await cluster.provider('POST', 'callees', { does: 'answers', afterMs: 200 })
  const lives: Life[] = []
  for (let person = 1; person <= people; person += 1) lives.push(await live(person))
  return {
    get answered() {
      return counts.answered
    },
    get repeated() {
      return counts.repeated
    },
    get calls() {
      return counts.calls
    },
    failures,
    getsOn: async () => {
      const { answered, calls } = counts
      await expect
        .poll(() => counts.answered > answered + 2 * people && counts.calls > calls, { timeout: timeoutMs })
        .toBe(true)
      expect(failures).toEqual([])
    },
    expectAudioForAll: async withinMs => {
      const before = lives.map(({ heard }) => heard.length)
      await expect
        .poll(() => lives.every(({ heard }, n) => heard.length > (before[n] ?? 0)), { timeout: withinMs })
        .toBe(true)
    },
    pages: lives,
    saved,
    stop: async () => {
      going = false
      await Promise.all(lives.map(({ over }) => over))
    },
    close: () => {
      for (const { socket } of lives) socket.disconnect()
    },
  }
}
