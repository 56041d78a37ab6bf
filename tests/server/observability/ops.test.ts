import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpsOverview } from '#lib/api/ops.ts'
import { prune } from '#server/accounts/retention/prune.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import {
  createOperatorLink,
  endOperatorSessions,
  listOperatorSessions,
} from '#server/identity/operator-sessions.ts'
import { revokeFamily, startSession } from '#server/identity/refresh-token.ts'
import { createSamples } from '#server/observability/samples.ts'
import { securedSession } from '#support/secured.ts'
import { connectCall } from '#support/simulated-network.ts'
import { deliver, order } from '../payments/buyer.ts'
import { createWatched, type Watched } from './watched.ts'

let watched: Watched
/** Who is logged in with a second factor. */
let operator: Awaited<ReturnType<typeof securedSession>>
beforeAll(async () => {
  watched = await createWatched({ redisReady: () => false })
  operator = await securedSession(watched.services, (await watched.world.addUser()).id)
})
afterAll(() => watched.close())
/** What a page was answered is remembered for a moment. */
beforeEach(() => watched.world.clock.advance(61_000))

async function link(name = 'Anna'): Promise<string> {
  const made = await createOperatorLink(watched.services, { name, actor: 'root' })
  if (!made.ok) throw new Error(made.code)
  const [, token] = /^http:\/\/localhost:4321\/ops#sign-in=([\w-]{43})$/.exec(made.value.link) ?? []
  if (token === undefined) throw new Error(`no link: ${made.value.link}`)
  return token
}

const claim = async (token: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  watched.app.inject({
    method: 'POST',
    url: '/api/ops/sign-in',
    payload: { token },
    headers: { authorization: await operator.authorization(), ...headers },
    remoteAddress,
  })

async function signIn(name?: string): Promise<string> {
  const answer = await claim(await link(name), {}, `192.0.2.${Math.floor(Math.random() * 200) + 2}`)
  expect(answer.statusCode).toBe(204)
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

const look = (cookie?: string, span = 'day') =>
  watched.app.inject({
    url: `/api/ops/overview?span=${span}`,
    headers: cookie === undefined ? {} : { cookie },
  })

test('a link signs in once, with a cookie that no script and no other site can use', async () => {
  const token = await link()
  const answer = await claim(token)
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['set-cookie']).toMatch(
    /^operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const cookie = String(answer.headers['set-cookie']).split(';')[0]
  expect((await look(cookie)).json().operator).toBe('Anna')
  const again = await claim(token)
  expect(again.statusCode).toBe(410)
  expect(again.json().error.code).toBe('link_expired')
  expect(again.headers['set-cookie']).toBeUndefined()
})

test('a link opens nothing without a second factor, and works on; nor does a cookie of before', async () => {
  const token = await link()
  const { id } = await watched.world.addUser()
  const { sessionId } = await watched.world.db.transaction(tx => startSession(tx, watched.services, id))
  const { keys, clock } = watched.services
  const authorization = `Bearer ${await signAccessToken(keys.access, id, clock, undefined, sessionId)}`
  const refused = await claim(token, { authorization })
  expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'second_factor_required'])
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect((await claim(token, { authorization: '' })).statusCode).toBe(401)
  const cookie = String((await claim(token)).headers['set-cookie']).split(';')[0] ?? ''
  expect((await look(cookie)).statusCode).toBe(200)
  await watched.world.db.query('update operator_session set session_id = null where ended_at is null')
  const old = await look(cookie)
  expect([old.statusCode, old.json().error.code]).toEqual([403, 'second_factor_required'])
})

test('it ends with the session that opened it', async () => {
  const mine = await securedSession(watched.services, (await watched.world.addUser()).id)
  const opened = await claim(await link(), { authorization: await mine.authorization() }, '192.0.2.3')
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  expect((await look(cookie)).statusCode).toBe(200)
  await revokeFamily(watched.world.db, mine.sessionId, watched.world.clock.now())
  expect((await look(cookie)).statusCode).toBe(401)
})

test('one of many who open a link at the same moment is signed in', async () => {
  const token = await link()
  const answers = await Promise.all([1, 2, 3, 4].map(n => claim(token, {}, `198.51.100.${n}`)))
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.toSorted((one, other) => one - other)).toEqual([204, 410, 410, 410])
})

test('looking at the address uses nothing up, and a link ends after 10 minutes', async () => {
  const [kept, late] = [await link(), await link()]
  await watched.app.inject({ url: `/ops?sign-in=${kept}` })
  watched.world.clock.advance(9 * 60_000)
  expect((await claim(kept)).statusCode).toBe(204)
  watched.world.clock.advance(61_000)
  expect((await claim(late)).statusCode).toBe(410)
})

test('over https the cookie is for this host alone', async () => {
  const secure = await createWatched({ publicUrl: 'https://farline.example' })
  const made = await createOperatorLink(secure.services, { name: 'Anna', actor: 'root' })
  const token = made.ok ? made.value.link.split('=')[1] : ''
  const { authorization } = await securedSession(secure.services, (await secure.world.addUser()).id)
  const answer = await secure.app.inject({
    method: 'POST',
    url: '/api/ops/sign-in',
    payload: { token },
    headers: { authorization: await authorization() },
  })
  expect(answer.headers['set-cookie']).toMatch(/^__Host-operator=[\w-]+; .*Secure/)
  await secure.close()
})

test('neither the token nor the cookie can be read from the database', async () => {
  const token = await link()
  const cookie = await signIn()
  const rows = await watched.world.db.query(
    `select encode(hash, 'escape') as hash, name from operator_link
     union all select encode(hash, 'escape'), name from operator_session`,
  )
  const everything = JSON.stringify([rows, await watched.world.db.query('select detail from audit_entry')])
  expect(everything).not.toContain(token)
  expect(everything).not.toContain(cookie.split('=')[1])
})

test('without a session, with one that is made up, ended or over, there is nothing to see', async () => {
  expect((await look()).statusCode).toBe(401)
  expect((await look('operator=made-up')).statusCode).toBe(401)
  const cookie = await signIn()
  expect((await look(cookie)).statusCode).toBe(200)
  const out = await watched.app.inject({ method: 'POST', url: '/api/ops/sign-out', headers: { cookie } })
  expect(out.statusCode).toBe(204)
  expect(out.headers['set-cookie']).toMatch(/^operator=; .*Expires=Thu, 01 Jan 1970/)
  expect((await look(cookie)).statusCode).toBe(401)
  const another = await signIn()
  watched.world.clock.advance(12 * 3600_000 - 1)
  expect((await look(another)).statusCode).toBe(200)
  watched.world.clock.advance(1)
  expect((await look(another)).statusCode).toBe(401)
})

test('a user is no operator, whatever they present', async () => {
  const { app, world } = watched
  const user = await world.addUser()
  await world.db.query('update app_user set can_call = true where id = $1', [user.id])
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password: 'correct horse battery' },
  })
  const token = String(login.json().token)
  const refresh = String(login.headers['set-cookie']).split(';')[0] ?? ''
  const secret = refresh.split('=')[1] ?? ''
  expect(token.length).toBeGreaterThan(20)
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { cookie: refresh },
    { cookie: `operator=${token}` },
    { cookie: `operator=${secret}` },
  ]) {
    const answer = await app.inject({ url: '/api/ops/overview?span=day', headers })
    expect(answer.statusCode).toBe(401)
  }
  // And an operator is no user.
  const cookie = await signIn()
  const me = await app.inject({ url: '/api/protected/me', headers: { cookie } })
  expect(me.statusCode).toBe(401)
})

test("another site's page can neither sign anybody in nor out", async () => {
  const token = await link()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://elsewhere.example' },
  ] as Record<string, string>[]) {
    expect((await claim(token, headers)).json().error.code).toBe('forbidden_origin')
  }
  const cookie = await signIn()
  const out = await watched.app.inject({
    method: 'POST',
    url: '/api/ops/sign-out',
    headers: { cookie, origin: 'https://elsewhere.example' },
  })
  expect(out.statusCode).toBe(403)
  expect((await look(cookie)).statusCode).toBe(200)
  expect((await claim(token)).statusCode).toBe(204)
})

test('makes a client wait that tries links', async () => {
  const tries = []
  for (let turn = 0; turn < 11; turn += 1) tries.push(await claim('guess', {}, '203.0.113.9'))
  expect(tries.slice(0, 10).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(410))
  expect(tries[10]?.statusCode).toBe(429)
})

test('rejects an unreadable span', async () => {
  expect((await look(await signIn(), 'century')).statusCode).toBe(400)
})

test('the command line lists sessions, ends one or all, and voids links that were not used', async () => {
  const { services } = watched
  await endOperatorSessions(services, { id: null, actor: 'root' })
  const [one, other] = [await signIn('Anna'), await signIn('Ben')]
  const unused = await link()
  const sessions = await listOperatorSessions(services)
  expect(new Set(sessions.map(({ name }) => name))).toEqual(new Set(['Anna', 'Ben']))
  const anna = sessions.find(({ name }) => name === 'Anna')
  expect(await endOperatorSessions(services, { id: anna?.id ?? '', actor: 'root' })).toEqual({
    ok: true,
    value: { ended: 1 },
  })
  expect((await look(one)).statusCode).toBe(401)
  expect((await look(other)).statusCode).toBe(200)
  expect(await endOperatorSessions(services, { id: anna?.id ?? '', actor: 'root' })).toMatchObject({
    ok: false,
    code: 'unknown_session',
  })
  expect(await endOperatorSessions(services, { id: null, actor: 'root' })).toEqual({
    ok: true,
    value: { ended: 1 },
  })
  expect((await look(other)).statusCode).toBe(401)
  expect((await claim(unused)).statusCode).toBe(410)
  const audited = await watched.world.db.query<{ actor: string; action: string }>(
    `select actor, action from audit_entry where action in ('ops_link', 'ops_end') order by id desc limit 2`,
  )
  expect(audited).toEqual([
    { actor: 'root', action: 'ops_end' },
    { actor: 'root', action: 'ops_end' },
  ])
})

test('rejects a name that would not fit in a line', async () => {
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(41)])
    expect(await createOperatorLink(watched.services, { name, actor: 'root' })).toMatchObject({
      code: 'invalid_name',
    })
})

test('the page shows the hours as the books have them, and what processes wrote of themselves', async () => {
  const { world, services, control, observability } = watched
  const cookie = await signIn()
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

  const seen = (await look(cookie)).json() as OpsOverview
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
  expect(((await look(cookie, 'week')).json() as OpsOverview).intervals).toHaveLength(168)
  const minutes = ((await look(cookie, 'hour')).json() as OpsOverview).intervals
  expect(minutes).toHaveLength(60)
  expect(minutes.filter(({ calls }) => calls.talked === 1)).toHaveLength(1)
  expect(minutes.find(({ toppedUp }) => toppedUp > 0)?.at).toMatch(/:0[12]:00\.000Z$/)
  expect(JSON.stringify(seen)).not.toContain(user.email)
  await live.end(1000)
})

test('a daily budget of which most is used up is shown, and one that has room is not', async () => {
  const { world } = watched
  const cookie = await signIn()
  await world.db.query(
    `insert into budget_counter (kind, scope, window_seconds, subject, used, max_used, ends_at)
     values ('reset_mail', 'everyone', 86400, '', 75, 100, $1), ('line_check', 'everyone', 86400, '', 69, 100, $1),
       ('free_call', 'prefix', 86400, '1473408', 99, 100, $1)`,
    [new Date(world.clock.now().getTime() + 60_000)],
  )
  world.clock.advance(6000)
  expect((await look(cookie)).json()).toMatchObject({ scarceBudgets: [{ kind: 'reset_mail', used: 0.75 }] })
  world.clock.advance(60_000)
  expect((await look(cookie)).json()).toMatchObject({ scarceBudgets: [] })
})

test('reports faults as incidents: one including its lulls, the latest first', async () => {
  const { world } = watched
  const cookie = await signIn()
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
  const { incidents, lastHour } = (await look(cookie, 'hour')).json() as OpsOverview
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
  const cookie = await signIn()
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
    const { processes } = (await look(cookie)).json() as OpsOverview
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
