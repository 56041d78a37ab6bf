import { beforeEach, expect, test } from 'vitest'
import { signAccessToken } from '#server/identity/access-token.ts'
import {
  createOperatorLink,
  endOperatorSessions,
  listOperatorSessions,
} from '#server/identity/operator-sessions.ts'
import { revokeFamily, startSession } from '#server/identity/refresh-token.ts'
import { keepForFile } from '#support/file-world.ts'
import { securedSession } from '#support/secured.ts'
import { openOperatorPage } from './operator-page.ts'
import { createWatched } from './watched.ts'

const watched = keepForFile(await createWatched({ redisReady: () => false }))
const page = await openOperatorPage(watched)
/** What a page was answered is remembered for a moment. */
beforeEach(() => watched.world.clock.advance(61_000))

test('a link signs in once, with a cookie that no script and no other site can use', async () => {
  const token = await page.link()
  const answer = await page.claim(token)
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['set-cookie']).toMatch(
    /^operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const cookie = String(answer.headers['set-cookie']).split(';')[0]
  expect((await page.look(cookie)).json().operator).toBe('Anna')
  const again = await page.claim(token)
  expect(again.statusCode).toBe(410)
  expect(again.json().error.code).toBe('link_expired')
  expect(again.headers['set-cookie']).toBeUndefined()
})

test('a link opens nothing without a second factor, and works on; nor does a cookie of before', async () => {
  const token = await page.link()
  const { id } = await watched.world.addUser()
  const { sessionId } = await watched.world.db.transaction(tx => startSession(tx, watched.services, id))
  const { keys, clock } = watched.services
  const authorization = `Bearer ${await signAccessToken(keys.access, id, clock, undefined, sessionId)}`
  const refused = await page.claim(token, { authorization })
  expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'second_factor_required'])
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect((await page.claim(token, { authorization: '' })).statusCode).toBe(401)
  const cookie = String((await page.claim(token)).headers['set-cookie']).split(';')[0] ?? ''
  expect((await page.look(cookie)).statusCode).toBe(200)
  await watched.world.db.query('update operator_session set session_id = null where ended_at is null')
  const old = await page.look(cookie)
  expect([old.statusCode, old.json().error.code]).toEqual([403, 'second_factor_required'])
})

test('it ends with the session that opened it', async () => {
  const mine = await securedSession(watched.services, (await watched.world.addUser()).id)
  const opened = await page.claim(
    await page.link(),
    { authorization: await mine.authorization() },
    '192.0.2.3',
  )
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  expect((await page.look(cookie)).statusCode).toBe(200)
  await revokeFamily(watched.world.db, mine.sessionId, watched.world.clock.now())
  expect((await page.look(cookie)).statusCode).toBe(401)
})

test('one of many who open a link at the same moment is signed in', async () => {
  const token = await page.link()
  const answers = await Promise.all([1, 2, 3, 4].map(n => page.claim(token, {}, `198.51.100.${n}`)))
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.toSorted((one, other) => one - other)).toEqual([204, 410, 410, 410])
})

test('looking at the address uses nothing up, and a link ends after 10 minutes', async () => {
  const [kept, late] = [await page.link(), await page.link()]
  await watched.app.inject({ url: `/ops?sign-in=${kept}` })
  watched.world.clock.advance(9 * 60_000)
  expect((await page.claim(kept)).statusCode).toBe(204)
  watched.world.clock.advance(61_000)
  expect((await page.claim(late)).statusCode).toBe(410)
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
  const token = await page.link()
  const cookie = await page.signIn()
  const rows = await watched.world.db.query(
    `select encode(hash, 'escape') as hash, name from operator_link
     union all select encode(hash, 'escape'), name from operator_session`,
  )
  const everything = JSON.stringify([rows, await watched.world.db.query('select detail from audit_entry')])
  expect(everything).not.toContain(token)
  expect(everything).not.toContain(cookie.split('=')[1])
})

test('without a session, with one that is made up, ended or over, there is nothing to see', async () => {
  expect((await page.look()).statusCode).toBe(401)
  expect((await page.look('operator=made-up')).statusCode).toBe(401)
  const cookie = await page.signIn()
  expect((await page.look(cookie)).statusCode).toBe(200)
  const out = await watched.app.inject({ method: 'POST', url: '/api/ops/sign-out', headers: { cookie } })
  expect(out.statusCode).toBe(204)
  expect(out.headers['set-cookie']).toMatch(/^operator=; .*Expires=Thu, 01 Jan 1970/)
  expect((await page.look(cookie)).statusCode).toBe(401)
  const another = await page.signIn()
  watched.world.clock.advance(12 * 3600_000 - 1)
  expect((await page.look(another)).statusCode).toBe(200)
  watched.world.clock.advance(1)
  expect((await page.look(another)).statusCode).toBe(401)
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
  const cookie = await page.signIn()
  const me = await app.inject({ url: '/api/protected/me', headers: { cookie } })
  expect(me.statusCode).toBe(401)
})

test("another site's page can neither sign anybody in nor out", async () => {
  const token = await page.link()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://elsewhere.example' },
  ] as Record<string, string>[]) {
    expect((await page.claim(token, headers)).json().error.code).toBe('forbidden_origin')
  }
  const cookie = await page.signIn()
  const out = await watched.app.inject({
    method: 'POST',
    url: '/api/ops/sign-out',
    headers: { cookie, origin: 'https://elsewhere.example' },
  })
  expect(out.statusCode).toBe(403)
  expect((await page.look(cookie)).statusCode).toBe(200)
  expect((await page.claim(token)).statusCode).toBe(204)
})

test('makes a client wait that tries links', async () => {
  const tries = []
  for (let turn = 0; turn < 11; turn += 1) tries.push(await page.claim('guess', {}, '203.0.113.9'))
  expect(tries.slice(0, 10).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(410))
  expect(tries[10]?.statusCode).toBe(429)
})

test('the command line lists sessions, ends one or all, and voids links that were not used', async () => {
  const { services } = watched
  await endOperatorSessions(services, { id: null, actor: 'root' })
  const [one, other] = [await page.signIn('Anna'), await page.signIn('Ben')]
  const unused = await page.link()
  const sessions = await listOperatorSessions(services)
  expect(new Set(sessions.map(({ name }) => name))).toEqual(new Set(['Anna', 'Ben']))
  const anna = sessions.find(({ name }) => name === 'Anna')
  expect(await endOperatorSessions(services, { id: anna?.id ?? '', actor: 'root' })).toEqual({
    ok: true,
    value: { ended: 1 },
  })
  expect((await page.look(one)).statusCode).toBe(401)
  expect((await page.look(other)).statusCode).toBe(200)
  expect(await endOperatorSessions(services, { id: anna?.id ?? '', actor: 'root' })).toMatchObject({
    ok: false,
    code: 'unknown_session',
  })
  expect(await endOperatorSessions(services, { id: null, actor: 'root' })).toEqual({
    ok: true,
    value: { ended: 1 },
  })
  expect((await page.look(other)).statusCode).toBe(401)
  expect((await page.claim(unused)).statusCode).toBe(410)
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
