import { Redis as Client } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RedisServer, redisIsMissing, startRedis } from '#support/redis.ts'
import { limit, openPage, type Page, type Process, startProcess, windowMs } from './processes.ts'

/** Two processes and one Redis, which may go and come back without anybody waiting for it. */

describe.skipIf(redisIsMissing())('several processes share a Redis', () => {
  let redis: RedisServer
  let one: Process
  let other: Process
  const pages: Page[] = []
  beforeAll(async () => {
    redis = await startRedis()
  })
  beforeEach(async () => {
    ;[one, other] = await Promise.all([startProcess(redis.url), startProcess(redis.url)])
    await bothKnow('answering')
  })
  afterEach(async () => {
    for (const { socket } of pages.splice(0)) socket.disconnect()
    await Promise.all([one.close(), other.close()])
  })
  afterAll(() => redis.close())

  const bothKnow = (what: 'answering' | 'away') =>
    expect
      .poll(() => [one, other].map(({ redis }) => redis.isAnswering()), { timeout: 15_000 })
      .toEqual([what === 'answering', what === 'answering'])

  async function pageOf(at: Process, userId: string): Promise<Page> {
    const page = await openPage(at, userId)
    pages.push(page)
    return page
  }

  let users = 0
  /** Somebody with a page on each of the two, and both of them hearing. */
  async function personOnBoth() {
    users += 1
    const userId = `user-${users}`
    const [near, far] = [await pageOf(one, userId), await pageOf(other, userId)]
    await expect
      .poll(
        () => {
          one.sockets.callError(userId, { message: 'heard?' })
          return far.heard.length
        },
        { timeout: 15_000 },
      )
      .toBeGreaterThan(0)
    return { userId, near, far }
  }

  const ask = async (at: Process, path = '/limited') => {
    const answer = await at.app.inject({ url: path, remoteAddress: '203.0.113.7' })
    return answer.statusCode
  }
  const forgetLimits = async () => {
    const client = new Client(redis.url)
    await client.flushall()
    client.disconnect()
  }

  test('events reach the page whichever process it is on, and no other user', async () => {
    const { userId, near, far } = await personOnBoth()
    const stranger = await pageOf(other, 'stranger')
    const events = {
      balance: { credits: 4.98 },
      call: { id: 'c', state: 'ringing', answeredAt: null, outcome: null },
      callError: { message: 'No answer.' },
    } as const
    one.sockets.balance(userId, events.balance)
    one.sockets.call(userId, events.call)
    one.sockets.callError(userId, events.callError)
    const all = [
      ['balance', events.balance],
      ['call', events.call],
      ['call_error', events.callError],
    ]
    await expect.poll(() => far.heard).toEqual(expect.arrayContaining(all))
    await expect.poll(() => near.heard).toEqual(expect.arrayContaining(all))
    expect(stranger.heard).toEqual([])
  })

  test('a process that closes takes its own pages along and no others', async () => {
    const { near, far } = await personOnBoth()
    const gone = new Promise(resolve => near.socket.once('disconnect', resolve))
    await one.sockets.close()
    await gone
    // Whatever was under way between the two has arrived by then.
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(far.socket.connected).toBe(true)
  })

  test('rejects a page that polls: each poll would reach another process', async () => {
    await expect(openPage(one, 'poller', 'polling')).rejects.toThrow()
  })

  test('of many at once, over both, exactly the limit gets through', async () => {
    await forgetLimits()
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n % 2 === 0 ? one : other)))
    expect(answers.filter(status => status === 200)).toHaveLength(limit)
    expect(answers.filter(status => status === 429)).toHaveLength(60 - limit)
    expect(await ask(one, '/other')).toBe(200)
  })

  test('counters hold no address, have our prefix, and expire', async () => {
    await forgetLimits()
    await ask(one)
    await ask(one, '/other')
    const client = new Client(redis.url)
    const names = (await client.keys('*')).filter(name => name !== 'farline:probe')
    expect(names).toHaveLength(2)
    for (const name of names) {
      expect(name).toMatch(/^farline:limit:[\w-]{43}$/)
      expect(await client.pttl(name)).toBeGreaterThan(windowMs - 10_000)
      expect(await client.pttl(name)).toBeLessThanOrEqual(windowMs)
    }
    client.disconnect()
  })

  test('without Redis each process counts on for itself and reaches its own pages; with it they are one again', async () => {
    await forgetLimits()
    const { userId, near, far } = await personOnBoth()
    for (let n = 0; n < limit - 2; n += 1) expect(await ask(one)).toBe(200)
    await redis.stop()
    await bothKnow('away')
    // What this process has seen itself is not forgotten.
    expect([await ask(one), await ask(one), await ask(one)]).toEqual([200, 200, 429])
    expect(await ask(other)).toBe(200)
    one.sockets.balance(userId, { credits: 1 })
    await expect.poll(() => near.heard).toContainEqual(['balance', { credits: 1 }])
    expect(far.heard).not.toContainEqual(['balance', { credits: 1 }])

    await redis.start()
    await bothKnow('answering')
    await expect
      .poll(
        () => {
          one.sockets.balance(userId, { credits: 2 })
          return far.heard
        },
        { timeout: 15_000 },
      )
      .toContainEqual(['balance', { credits: 2 }])
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n % 2 === 0 ? one : other)))
    expect(answers.filter(status => status === 200)).toHaveLength(limit)
    expect(one.log().match(/Redis does not answer/g)).toHaveLength(1)
    expect(one.log().match(/Redis is back/g)).toHaveLength(1)
    expect(one.log()).not.toContain('203.0.113.7')
  })

  test('a Redis that says nothing holds up one answer for half a second, and no other', async () => {
    await forgetLimits()
    redis.hang()
    try {
      const begun = performance.now()
      expect(await ask(one)).toBe(200)
      const firstMs = performance.now() - begun
      expect(firstMs).toBeGreaterThan(400)
      expect(one.redis.isAnswering()).toBe(false)
      // Eight in sequence would take eight times as long.
      const again = performance.now()
      for (let n = 0; n < 8; n += 1) expect(await ask(one)).toBe(200)
      expect(performance.now() - again).toBeLessThan(8 * 400)
    } finally {
      redis.wake()
    }
    await bothKnow('answering')
  })

  test('REL-8: a Redis that rejects writes is away until it accepts one, and that is logged once', async () => {
    const client = new Client(redis.url)
    const written = async () =>
      Number(/cmdstat_eval:calls=(\d+)/.exec(await client.info('commandstats'))?.[1])
    try {
      await client.config('SET', 'maxmemory', '1')
      await bothKnow('away')
      expect(await ask(one)).toBe(200)
      const before = await written()
      await expect.poll(written, { timeout: 15_000 }).toBeGreaterThan(before + 5)
      expect([one.redis.isAnswering(), other.redis.isAnswering()]).toEqual([false, false])
    } finally {
      await client.config('SET', 'maxmemory', '0')
      client.disconnect()
    }
    await bothKnow('answering')
    expect(one.log().match(/Redis does not answer or rejects writes/g)).toHaveLength(1)
    expect(one.log().match(/maxmemory/g)).not.toBeNull()
    expect(one.log().match(/Redis is back/g)).toHaveLength(1)
  })

  test('REL-8: a process that is busy itself for a second does not take Redis for away', async () => {
    const beBusy = (ms: number) => {
      const until = performance.now() + ms
      while (performance.now() < until);
    }
    redis.hang()
    const answer = one.redis.run('return 7', 'busy')
    setImmediate(() => {
      beBusy(700)
      redis.wake()
      beBusy(300)
    })
    expect(await answer).toBe(7)
    expect(one.redis.isAnswering()).toBe(true)
    expect(one.log()).not.toContain('Redis does not answer')
  })
})

test.skipIf(redisIsMissing())(
  'a process starts without Redis, says so, and finds it when it comes',
  async () => {
    const redis = await startRedis()
    await redis.stop()
    const early = await startProcess(redis.url)
    await expect.poll(() => early.log(), { timeout: 15_000 }).toMatch(/Redis does not answer/)
    const page = await openPage(early, 'ann')
    await redis.start()
    const late = await startProcess(redis.url)
    await expect
      .poll(
        () => {
          late.sockets.balance('ann', { credits: 3 })
          return page.heard
        },
        { timeout: 15_000 },
      )
      .toContainEqual(['balance', { credits: 3 }])
    page.socket.disconnect()
    await Promise.all([early.close(), late.close()])
    await redis.close()
  },
)
