import { beforeEach, expect, test } from 'vitest'
import type { OpsOverview } from '#lib/api/ops.ts'
import { prune } from '#server/accounts/retention/prune.ts'
import { createSamples } from '#server/observability/samples.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { deliver, order } from '../payments/buyer.ts'
import { openOperatorPage } from './operator-page.ts'
import { createWatched } from './watched.ts'

const watched = keepForFile(await createWatched({ redisReady: () => false }))
const page = await openOperatorPage(watched)
/** What a page was answered is remembered for a moment. */
beforeEach(() => watched.world.clock.advance(61_000))

test('rejects an unreadable span', async () => {
  expect((await page.look(await page.signIn(), 'century')).statusCode).toBe(400)
})

test('the page shows the hours as the books have them, and what processes wrote of themselves', async () => {
  const { world, services, control, observability } = watched
  const cookie = await page.signIn()
  // Onto the beginning of an hour, so that what follows is in one.
  world.clock.advance(3600_000 - (world.clock.now().getTime() % 3600_000))
  const user = await world.addUser({ credit: 5 })
  const placed = await control.place({ userId: user.id, to: '+12125550142', callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  world.clock.advance(4000)
  await control.report({ kind: 'answered', callId: placed.callId })
  world.clock.advance(90_000)
  await control.report({ kind: 'ended', callId: placed.callId, answeredMs: 90_000, end: 'caller_hung_up' })
  const busy = await control.place({ userId: user.id, to: '+12125550142', callerId: undefined })
  if (busy.kind === 'refuse') throw new Error(busy.code)
  await control.report({ kind: 'ended', callId: busy.callId, answeredMs: null, end: 'busy' })
  const bought = await order(world, user.id, 25)
  await deliver({ ...world, services }, bought.paid())
  world.provider.away = 'before'
  await services.payments.lookUp('cs')
  world.provider.away = 'no'
  await watched.app.inject({ method: 'POST', url: '/api/webhooks/local', payload: '{}' })
  await observability.stop()
  const live = await connectCall(control, user.id, '+12125550142')
  // What the database holds is asked at most once each 5 s.
  world.clock.advance(5000)

  const seen = (await page.look(cookie)).json() as OpsOverview
  const [{ cost }] = (await world.db.query<{ cost: number }>('select cost from call where id = $1', [
    placed.callId,
  ])) as [{ cost: number }]
  expect(seen.intervals).toHaveLength(24)
  expect(seen.intervals.at(-1)).toEqual({
    at: world.clock.now().toISOString().replace(/:.*/, ':00:00.000Z'),
    calls: { talked: 1, busy: 1 },
    answered: 1,
    callSeconds: 90,
    setUpSeconds: 4,
    charged: cost / 1_000_000,
    toppedUp: 25,
    // The second minute was due at 60.001 s and is charged with the settlement; the first one at once.
    meterLagSeconds: 0,
    jobsDue: expect.any(Number),
    webhookFailures: 1,
    providerErrors: 1,
  })
  expect(seen.intervals[0]).toMatchObject({
    calls: {},
    answered: 0,
    callSeconds: null,
    meterLagSeconds: null,
  })
  expect(seen.liveCalls).toEqual({ placed: 0, ringing: 0, answered: 1 })
  expect(seen.redis).toBe('away')
  expect(seen.providers).toMatchObject([{ name: 'stripe', errors: 1, lastOperation: 'lookUp' }])
  expect(seen.processes).toMatchObject([{ id: 'the-only-process', state: 'stopped', calls: 2, sockets: 3 }])
  expect(((await page.look(cookie, 'week')).json() as OpsOverview).intervals).toHaveLength(168)
  const minutes = ((await page.look(cookie, 'hour')).json() as OpsOverview).intervals
  expect(minutes).toHaveLength(60)
  expect(minutes.filter(({ calls }) => calls.talked === 1)).toHaveLength(1)
  expect(minutes.find(({ toppedUp }) => toppedUp > 0)?.at).toMatch(/:0[12]:00\.000Z$/)
  expect(JSON.stringify(seen)).not.toContain(user.email)
  await live.end(1000)
})

test('a daily budget of which most is used up is shown, and one that has room is not', async () => {
  const { world } = watched
  const cookie = await page.signIn()
  await world.db.query(
    `insert into budget_counter (kind, scope, window_seconds, subject, used, max_used, ends_at)
     values ('reset_mail', 'everyone', 86400, '', 75, 100, $1), ('line_check', 'everyone', 86400, '', 69, 100, $1),
       ('free_call', 'prefix', 86400, '1473408', 99, 100, $1)`,
    [new Date(world.clock.now().getTime() + 60_000)],
  )
  world.clock.advance(6000)
  expect((await page.look(cookie)).json()).toMatchObject({
    scarceBudgets: [{ kind: 'reset_mail', used: 0.75 }],
  })
  world.clock.advance(60_000)
  expect((await page.look(cookie)).json()).toMatchObject({ scarceBudgets: [] })
})

test('reports faults as incidents: one including its lulls, the latest first', async () => {
  const { world } = watched
  const cookie = await page.signIn()
  world.clock.advance(2 * 3600_000)
  const samples = createSamples({
    db: world.db,
    clock: world.clock,
    facts: async () => null,
    process: () => ({ calls: 0, sockets: 0 }),
    name: 'unlucky',
    version: '1',
  })
  const writeAfter = async (minutes: number, ...seen: Parameters<typeof samples.observe>[0][]) => {
    world.clock.advance(minutes * 60_000)
    for (const one of seen) samples.observe(one)
    await samples.write()
  }
  const refused = { kind: 'webhook_refused', provider: 'stripe', reason: 'signature' } as const
  const failed = {
    kind: 'provider_asked',
    provider: 'twilio',
    operation: 'hangUp',
    failed: true,
    ms: 5,
  } as const
  const began = world.clock.now().getTime()
  await writeAfter(1, { kind: 'minute_charged', microUsd: 1, lagMs: 2000 })
  await writeAfter(1, { kind: 'minute_charged', microUsd: 1, lagMs: 2900 })
  await writeAfter(1, refused, failed)
  await writeAfter(5, { kind: 'minute_charged', microUsd: 1, lagMs: 2500 }, failed, failed)
  await writeAfter(6, refused, refused)
  world.clock.advance(10_000)
  const { incidents, lastHour } = (await page.look(cookie, 'hour')).json() as OpsOverview
  const at = (minutes: number) => new Date(began + minutes * 60_000).toISOString()
  expect(incidents).toEqual(
    [
      { kind: 'webhooks_refused', from: at(13), to: at(14), failures: 2 },
      { kind: 'meter_late', from: at(1), to: at(2), worstSeconds: 2.9 },
      { kind: 'provider_errors', provider: 'twilio', from: at(2), to: at(8), errors: 3 },
      { kind: 'meter_late', from: at(7), to: at(8), worstSeconds: 2.5 },
      { kind: 'webhooks_refused', from: at(2), to: at(3), failures: 1 },
    ].sort((one, other) => other.to.localeCompare(one.to)),
  )
  expect(lastHour).toEqual({ webhookFailures: 3, providerErrors: 3 })
})

test('a process that has not written for two and a half minutes is silent', async () => {
  const { world } = watched
  const cookie = await page.signIn()
  const samples = createSamples({
    db: world.db,
    clock: world.clock,
    facts: async () => null,
    process: () => ({ calls: 0, sockets: 0 }),
    name: 'another',
    version: '9.9.9',
  })
  await samples.write()
  const stateOf = async () => {
    const { processes } = (await page.look(cookie)).json() as OpsOverview
    return processes.find(({ id }) => id === 'another')?.state
  }
  expect(await stateOf()).toBe('running')
  world.clock.advance(150_001)
  expect(await stateOf()).toBe('silent')
  world.clock.advance(3600_000)
  expect(await stateOf()).toBeUndefined()
})

test('the next sample includes what could not be written, and samples are deleted after 8 days', async () => {
  const { world, services } = watched
  let away = true
  const query: typeof world.db.query = (sql, parameters) =>
    away ? Promise.reject(new Error('away')) : world.db.query(sql, parameters)
  const samples = createSamples({
    db: { ...world.db, query },
    clock: world.clock,
    facts: async () => null,
    process: () => ({ calls: 0, sockets: 0 }),
    name: 'third',
    version: '1',
  })
  const fails = { kind: 'provider_asked', provider: 'stripe', ms: 1, failed: true } as const
  samples.observe({ ...fails, operation: 'refund' })
  samples.observe({ kind: 'minute_charged', microUsd: 1, lagMs: 700 })
  await expect(samples.write()).rejects.toThrow('away')
  samples.observe({ ...fails, operation: 'lookUp' })
  samples.observe({ kind: 'webhook_refused', provider: 'stripe', reason: 'forged' })
  samples.observe({ kind: 'webhook_refused', provider: 'unknown', reason: 'not_found' })
  away = false
  await samples.write()
  await samples.write()
  const written = () =>
    world.db.query<{ providers: unknown; meter_lag_ms: number; webhook_failures: number }>(
      `select providers, meter_lag_ms, webhook_failures from ops_sample where process = 'third' order by id`,
    )
  expect(await written()).toEqual([
    {
      providers: { stripe: { errors: 2, operation: 'lookUp', at: world.clock.now().toISOString() } },
      meter_lag_ms: 700,
      webhook_failures: 1,
    },
    { providers: {}, meter_lag_ms: 0, webhook_failures: 0 },
  ])
  await prune(services)
  expect(await written()).toHaveLength(2)
  world.clock.advance(8 * 24 * 3600_000 + 1)
  await prune(services)
  expect(await written()).toEqual([])
})
