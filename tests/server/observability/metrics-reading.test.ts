import { register } from 'prom-client'
import { beforeEach, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#server/db/port.ts'
import { createPool } from '#server/db/postgres-pool.ts'
import { metricsAccess } from '#server/http/operations-routes.ts'
import { readFacts, rememberFacts } from '#server/observability/facts.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWatched } from './watched.ts'

const watched = keepForFile(await createWatched())
/** What the database holds is asked at most once each 5 s. */
beforeEach(() => watched.world.clock.advance(6000))

test('asks the database at most once each 5 s, however often the metrics are read', async () => {
  const { world } = watched
  let asked = 0
  const query: typeof world.db.query = (sql, parameters) => {
    asked += 1
    return world.db.query(sql, parameters)
  }
  const facts = rememberFacts({ ...world.db, query }, world.clock)
  await Promise.all([facts(), facts(), facts()])
  world.clock.advance(4999)
  await facts()
  expect(asked).toBe(1)
  world.clock.advance(1)
  await facts()
  expect(asked).toBe(2)
})

test('a database that does not answer one query gets no other', async () => {
  const { world } = watched
  let asked = 0
  const held = Promise.withResolvers<never>()
  const query = () => {
    asked += 1
    return held.promise
  }
  const facts = rememberFacts({ ...world.db, query }, world.clock)
  expect(await facts()).toBeNull()
  world.clock.advance(60_000)
  expect(await facts()).toBeNull()
  expect(asked).toBe(1)
  held.reject(new DatabaseUnavailable('away'))
  await expect(held.promise).rejects.toThrow()
  world.clock.advance(6000)
  void facts()
  expect(asked).toBe(2)
})

test('says so while the database is away, and invents no figures', async () => {
  const { world } = watched
  const away = { ...world.db, query: async () => Promise.reject(new DatabaseUnavailable('away')) }
  expect(await rememberFacts(away, world.clock)()).toBeNull()
  let facts: Awaited<ReturnType<typeof readFacts>> | null = await readFacts(world.db, world.clock)
  const process = {
    calls: 0,
    sockets: 0,
    pool: { busy: 2, waiting: 1, size: 10 },
    redisReady: false,
    disk: undefined,
    certificateEndsAt: undefined,
    prepaidUsd: undefined,
  }
  const metrics = createMetrics({ facts: async () => facts, process: () => process, version: '1' })
  const before = await metrics.read()
  expect(before).toMatch(/^farline_database_up 1$/m)
  expect(before).toMatch(/^farline_live_calls\{state="placed"\} 0$/m)
  facts = null
  const after = await metrics.read()
  expect(after).toMatch(/^farline_database_up 0$/m)
  expect(after).toMatch(/^farline_redis_up 0$/m)
  expect(after).toMatch(/^farline_database_waiting 1$/m)
  for (const name of ['live_calls', 'meter_oldest_due_seconds', 'jobs', 'disk_free_bytes'])
    expect(after).not.toMatch(new RegExp(`^farline_${name}[ {]`, 'm'))
})

test('a pool says what is lent and what waits', async () => {
  const runner = { query: async () => [], script: async () => {} }
  const connection = {
    ...runner,
    unlimited: runner,
    isLost: () => false,
    giveUp: () => {},
    close: async () => {},
  }
  const pool = createPool(async () => connection, { size: 2, waitMs: 1000, waiting: 10 })
  const held = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const uses = held.map(({ promise }) => pool.use(() => promise))
  expect(pool.load()).toEqual({ busy: 2, waiting: 1, size: 2 })
  for (const { resolve } of held) resolve()
  await Promise.all(uses)
  expect(pool.load()).toEqual({ busy: 0, waiting: 0, size: 2 })
  await pool.close()
})

test('nothing is registered where everybody would see it', async () => {
  await watched.read()
  expect(register.getMetricsAsArray()).toEqual([])
})

test('without a token only this machine reads them, and through no proxy; with one whoever shows it', () => {
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    ({ headers, raw: { socket: { remoteAddress } } }) as unknown as Parameters<typeof metricsAccess>[0]
  const token = 'a token that is long enough'
  expect(metricsAccess(from('127.0.0.1'), undefined)).toBe('granted')
  expect(metricsAccess(from('::ffff:127.0.0.1'), undefined)).toBe('granted')
  expect(metricsAccess(from('192.0.2.7'), undefined)).toBe('hidden')
  expect(metricsAccess(from('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }), undefined)).toBe('hidden')
  expect(metricsAccess(from('127.0.0.1', { forwarded: 'for=127.0.0.1' }), undefined)).toBe('hidden')
  expect(metricsAccess(from('127.0.0.1'), token)).toBe('refused')
  expect(metricsAccess(from('192.0.2.7', { authorization: `Bearer ${token}` }), token)).toBe('granted')
  expect(metricsAccess(from('192.0.2.7', { authorization: `Bearer ${token}x` }), token)).toBe('refused')
})

test('the endpoint answers by that rule', async () => {
  const { app } = watched
  const local = await app.inject({ url: '/metrics' })
  expect(local.statusCode).toBe(200)
  expect(local.headers['content-type']).toContain('text/plain')
  const proxied = await app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '192.0.2.7' } })
  expect(proxied.statusCode).toBe(404)
  const strange = await app.inject({ url: '/metrics', remoteAddress: '192.0.2.7' })
  expect(strange.statusCode).toBe(404)
})
