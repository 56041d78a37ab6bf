import { expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { startWorkers, workerPauses } from '#server/workers.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password, readRefreshCookie } from '#support/web.ts'

const web = keepForFile(await createWeb())

const chrome = 'Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const safari =
  'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

interface SignedIn {
  readonly token: string
  readonly cookie: string
}

async function logIn(email: string, userAgent: string, cookie?: string): Promise<SignedIn> {
  const answer = await web.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'user-agent': userAgent, ...(cookie === undefined ? {} : { cookie }) },
    payload: { email, password },
  })
  expect(answer.statusCode).toBe(200)
  return { token: answer.json().token, cookie: readRefreshCookie(answer.headers['set-cookie']) }
}

/** @param typed the password, asked for where the sign-in is not fresh */
const ask = (
  method: 'GET' | 'DELETE' | 'POST',
  url: string,
  { token }: Pick<SignedIn, 'token'>,
  typed = '',
) =>
  web.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'DELETE' && { payload: { password: typed } }),
  })
const renew = (cookie: string, userAgent = chrome) =>
  web.app.inject({
    method: 'POST',
    url: '/api/auth/refresh-token',
    headers: { cookie, 'user-agent': userAgent },
  })
const listFor = async (who: Pick<SignedIn, 'token'>) =>
  (await ask('GET', '/api/protected/devices', who)).json() as { id: string; name: string; current: boolean }[]

/** An account that is known to have signed in from nowhere: what signing up signed in is taken away. */
async function account(email: string): Promise<void> {
  const { userId } = await web.signUp(email)
  await web.db.query('delete from session where user_id = $1', [userId])
  await web.db.query('delete from refresh_token where user_id = $1', [userId])
}

const mailsTo = async (email: string) =>
  (await web.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)

test('lists the devices by name, this one first, with when they were last seen', async () => {
  await account('list@example.com')
  const signedInAt = web.clock.now().toISOString()
  const phone = await logIn('list@example.com', safari)
  web.clock.advance(60_000)
  const desk = await logIn('list@example.com', chrome)
  web.clock.advance(60_000)
  const renewed = await renew(phone.cookie, safari)
  expect(renewed.statusCode).toBe(200)
  const seen = web.clock.now().toISOString()
  expect(await listFor(desk)).toMatchObject([
    { name: 'Chrome on macOS', kind: 'computer', current: true },
    { name: 'Safari on iPhone', kind: 'phone', current: false, signedInAt, lastSeenAt: seen },
  ])
  expect((await listFor(renewed.json())).map(({ name }) => name)).toEqual([
    'Safari on iPhone',
    'Chrome on macOS',
  ])
})

test('a signed-out device cannot continue: not with its token, not with its cookie', async () => {
  await account('out@example.com')
  const phone = await logIn('out@example.com', safari)
  const desk = await logIn('out@example.com', chrome)
  const [, lost] = await listFor(desk)
  const url = `/api/protected/devices/${lost?.id}`
  expect((await ask('DELETE', url, desk)).statusCode).toBe(204)
  expect((await ask('DELETE', url, desk)).statusCode).toBe(204)
  expect((await ask('GET', '/api/protected/me', phone)).statusCode).toBe(401)
  expect((await ask('GET', '/api/token', phone)).statusCode).toBe(401)
  expect((await renew(phone.cookie)).statusCode).toBe(401)
  expect((await ask('GET', '/api/protected/me', desk)).statusCode).toBe(200)
  expect(await listFor(desk)).toHaveLength(1)
})

test('an unattended screen cannot sign out devices without the password', async () => {
  await account('left-open@example.com')
  const phone = await logIn('left-open@example.com', safari)
  const desk = await logIn('left-open@example.com', chrome)
  const [, lost] = await listFor(desk)
  // The token is renewed meanwhile, which is no sign-in.
  web.clock.advance(10 * 60_000 + 1)
  const renewed = (await renew(desk.cookie)).json()
  for (const url of [`/api/protected/devices/${lost?.id}`, '/api/protected/devices']) {
    const asked = await ask('DELETE', url, renewed)
    expect([asked.statusCode, asked.json().error]).toEqual([
      403,
      { code: 'proof_needed', message: "Enter your password so we know it's you." },
    ])
    const wrong = await ask('DELETE', url, renewed, 'not the password')
    expect([wrong.statusCode, wrong.json().error.code]).toEqual([403, 'wrong_password'])
  }
  // Nothing was guessed by asking without one.
  for (let time = 0; time < 20; time += 1) await ask('DELETE', '/api/protected/devices', renewed)
  const stays = await renew(phone.cookie)
  expect(stays.statusCode).toBe(200)
  expect((await ask('DELETE', '/api/protected/devices', renewed, password)).statusCode).toBe(204)
  expect((await renew(readRefreshCookie(stays.headers['set-cookie']))).statusCode).toBe(401)
})

test('signing out the others leaves this one, and other people, alone', async () => {
  await account('others@example.com')
  await account('stranger@example.com')
  const stranger = await logIn('stranger@example.com', chrome)
  const [one, two] = [await logIn('others@example.com', safari), await logIn('others@example.com', safari)]
  const desk = await logIn('others@example.com', chrome)
  expect((await ask('DELETE', '/api/protected/devices', desk)).statusCode).toBe(204)
  for (const { cookie } of [one, two]) expect((await renew(cookie)).statusCode).toBe(401)
  expect(await listFor(desk)).toMatchObject([{ current: true }])
  expect((await renew(desk.cookie)).statusCode).toBe(200)
  expect((await renew(stranger.cookie)).statusCode).toBe(200)
})

test.each(['theirs', '00000000-0000-4000-8000-000000000000', 'no-uuid', '%00'])(
  'a device that is not the asker’s own is not found: %s',
  async id => {
    await account(`mine-${id.length}@example.com`)
    await account(`theirs-${id.length}@example.com`)
    const mine = await logIn(`mine-${id.length}@example.com`, chrome)
    const theirs = await logIn(`theirs-${id.length}@example.com`, chrome)
    const [own] = await listFor(theirs)
    const answer = await ask('DELETE', `/api/protected/devices/${id === 'theirs' ? own?.id : id}`, mine)
    expect(answer.statusCode).toBe(id === '%00' ? 400 : 404)
    expect((await renew(theirs.cookie)).statusCode).toBe(200)
  },
)

test('logging in again in one browser leaves one device, not two', async () => {
  await account('again@example.com')
  const first = await logIn('again@example.com', chrome)
  const second = await logIn('again@example.com', chrome, first.cookie)
  expect(await listFor(second)).toHaveLength(1)
  expect((await renew(first.cookie)).statusCode).toBe(401)
})

test('does not list an expired session', async () => {
  await account('gone@example.com')
  await logIn('gone@example.com', safari)
  web.clock.advance(14 * 24 * 3600 * 1000 + 1)
  expect(await listFor(await logIn('gone@example.com', chrome))).toHaveLength(1)
})

test('reports a device of a new kind by e-mail, once; the first of an account is not reported', async () => {
  const email = 'letters@example.com'
  await account(email)
  const before = (await mailsTo(email)).length
  await logIn(email, chrome)
  expect(await mailsTo(email)).toHaveLength(before)
  await logIn(email, safari)
  await logIn(email, safari)
  await logIn(email, chrome)
  const [subject, ...older] = await mailsTo(email)
  expect(subject).toBe('New login to your Farline account')
  expect(older).toHaveLength(before)
  const [mail] = (await web.readMails()).filter(({ to }) => to === email)
  const { subject: _, ...written } = { ...mail }
  expect(written.text).toContain('Device: Safari on iPhone')
  expect(written.text).toMatch(/Time: \d+ \w+ 2026 at \d\d:\d\d UTC/)
  expect(written.text).toContain('change your password there')
})

test('many simultaneous sign-ins of one new device send one e-mail', async () => {
  const email = 'at-once@example.com'
  await account(email)
  await logIn(email, chrome)
  await Promise.all(Array.from({ length: 5 }, () => logIn(email, safari)))
  const mails = (await mailsTo(email)).filter(subject => subject.startsWith('New login'))
  expect(mails).toHaveLength(1)
})

test('an old refresh token that comes back ends the session and is reported, once', async () => {
  const email = 'replayed@example.com'
  await account(email)
  const { cookie, token } = await logIn(email, chrome)
  const other = await logIn(email, chrome)
  const renewed = await renew(cookie)
  const successor = readRefreshCookie(renewed.headers['set-cookie'])
  web.clock.advance(20_001)
  const replays = await Promise.all([renew(cookie), renew(cookie), renew(cookie)])
  expect(replays.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  expect((await renew(successor)).statusCode).toBe(401)
  expect((await ask('GET', '/api/protected/me', { token })).statusCode).toBe(401)
  expect((await ask('GET', '/api/protected/me', renewed.json())).statusCode).toBe(401)
  expect((await renew(other.cookie)).statusCode).toBe(200)
  const mails = (await mailsTo(email)).filter(subject => subject.startsWith('We logged a device out'))
  expect(mails).toHaveLength(1)
  const text = (await web.readMails()).find(mail => mail.to === email)?.text
  expect(text).toMatch(/Somebody used an old login[\s\S]*Device: Chrome on macOS\nTime: /)
})

test('a token that was exchanged and has expired since still reveals its thief', async () => {
  const email = 'patient@example.com'
  await account(email)
  const day = 24 * 3600 * 1000
  const { cookie } = await logIn(email, chrome)
  let current = cookie
  for (let days = 0; days < 20; days += 10) {
    current = readRefreshCookie((await renew(current)).headers['set-cookie'])
    web.clock.advance(10 * day)
  }
  expect((await renew(cookie)).statusCode).toBe(401)
  expect((await renew(current)).statusCode).toBe(401)
})

test('the sockets of a session that has ended are closed by every process', async () => {
  await account('socket@example.com')
  const [phone, desk] = [await logIn('socket@example.com', safari), await logIn('socket@example.com', chrome)]
  const [here, there] = await listFor(desk)
  const closed = new Set<string>()
  const workers = startWorkers({
    services: web.services,
    mailer: { send: async () => {} },
    liveCallIds: () => [],
    log: createLog('silent'),
    sockets: {
      sessions: () => [here?.id ?? '', there?.id ?? ''],
      closeSessions: ids => {
        for (const id of ids) closed.add(id)
      },
    },
    pauses: { ...workerPauses, heartbeat: 10 },
  })
  try {
    await new Promise(resolve => setTimeout(resolve, 100))
    expect([...closed]).toEqual([])
    await web.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie: phone.cookie } })
    await expect.poll(() => [...closed]).toEqual([there?.id])
  } finally {
    await workers.stop()
  }
})
