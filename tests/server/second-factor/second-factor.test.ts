import { afterAll, beforeAll, expect, test } from 'vitest'
import { resetSecondFactor } from '#server/accounts/second-factor/operator-reset.ts'
import { createAuthenticator } from '#support/software-authenticator.ts'
import { createWeb, password, type Web } from '#support/web.ts'
import { newestToken } from '../accounts/emails.ts'
import { addAuthenticator, type Browser, newAccount, openBrowser, security } from './world.ts'

let web: Web
beforeAll(async () => {
  web = await createWeb()
})
afterAll(() => web.close())

const minuteMs = 60_000
const subjectsTo = async (email: string) =>
  (await web.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)
const secondStep = (browser: Browser, code: string) =>
  browser.ask('POST', '/api/auth/second-factor/code', { code })
const listed = async (browser: Browser) => (await browser.ask('GET', security)).body

async function addPasskey(browser: Browser, authenticator = createAuthenticator(), name = 'My telephone') {
  const started = await browser.ask('POST', `${security}/passkeys/start`, { password: '' })
  const response = authenticator.create(started.body.options)
  const done = await browser.ask('POST', `${security}/passkeys`, { response, name })
  return { authenticator, started, done }
}

async function signInWithPasskey(browser: Browser, authenticator: ReturnType<typeof createAuthenticator>) {
  const started = await browser.ask('POST', '/api/auth/passkey/start')
  return browser.ask('POST', '/api/auth/passkey', { response: authenticator.get(started.body.options) })
}

test('an authenticator app is set up with a code that it shows, and asked for from then on', async () => {
  const email = 'app@example.com'
  const browser = await newAccount(web, email)
  expect(await listed(browser)).toEqual({
    passkeys: [],
    authenticator: null,
    recoveryCodesLeft: null,
    signedInWithSecondFactor: false,
  })
  const { code, started, done, recoveryCodes } = await addAuthenticator(web, browser)
  expect(started.body.uri).toMatch(
    /^otpauth:\/\/totp\/Farline:app%40example\.com\?secret=[A-Z2-7]{32}&issuer=Farline$/,
  )
  expect(started.body.qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/)
  expect(done.body.security).toMatchObject({ recoveryCodesLeft: 10, signedInWithSecondFactor: false })
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const one of recoveryCodes) expect(one).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  expect((await subjectsTo(email))[0]).toBe('An authenticator app was added to your Farline account')

  const other = openBrowser(web)
  const asked = await other.logIn(email)
  expect([asked.status, asked.code, other.token, other.cookies['refresh']]).toEqual([
    403,
    'second_factor_required',
    undefined,
    undefined,
  ])
  const offered = await other.ask('POST', '/api/auth/second-factor/start')
  expect(offered.body).toEqual({ passkey: null, authenticator: true, recoveryCodes: true })
  // The code that set it up is used.
  expect((await secondStep(other, code())).code).toBe('wrong_code')
  web.clock.advance(30_000)
  expect((await secondStep(other, ` ${code().slice(0, 3)} ${code().slice(3)}`)).status).toBe(200)
  expect(await listed(other)).toMatchObject({ signedInWithSecondFactor: true })
  // The step is over.
  expect((await secondStep(other, code(1))).code).toBe('step_expired')
})

test('a code works once, and within a step of its time', async () => {
  const email = 'once@example.com'
  const { code } = await addAuthenticator(web, await newAccount(web, email))
  web.clock.advance(10 * minuteMs)
  const used = code()
  const enter = async (typed: string) => {
    const browser = openBrowser(web)
    await browser.logIn(email)
    return (await secondStep(browser, typed)).status
  }
  expect([await enter(code(2)), await enter(code(-2))]).toEqual([401, 401])
  expect(await enter(used)).toBe(200)
  expect(await enter(used)).toBe(401)
  expect(await enter(code(-1))).toBe(401)
  expect(await enter(code(1))).toBe(200)
})

test('codes are guessed ten times in 15 minutes, even many at once, and then a right one is rejected too', async () => {
  const email = 'guessed@example.com'
  const { code } = await addAuthenticator(web, await newAccount(web, email))
  web.clock.advance(minuteMs)
  const browser = openBrowser(web)
  await browser.logIn(email)
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, nth) => secondStep(browser, String(100_000 + nth))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
  expect((await secondStep(browser, code())).status).toBe(429)
  web.clock.advance(15 * minuteMs)
  await browser.logIn(email)
  expect((await secondStep(browser, code())).status).toBe(200)
})

test('each recovery code signs in once, and its owner is notified; new ones make those before void', async () => {
  const email = 'recovery@example.com'
  const first = await newAccount(web, email)
  const { recoveryCodes } = await addAuthenticator(web, first)
  const enter = async (typed: string) => {
    const browser = openBrowser(web)
    await browser.logIn(email)
    return { browser, status: (await secondStep(browser, typed)).status }
  }
  const [one = '', two = ''] = recoveryCodes
  const entered = await enter(one.toUpperCase().replaceAll('-', ' '))
  expect(entered.status).toBe(200)
  expect((await enter(one)).status).toBe(401)
  expect(await listed(entered.browser)).toMatchObject({ recoveryCodesLeft: 9 })
  expect(await subjectsTo(email)).toContain('A recovery code signed in to your Farline account')
  const made = await entered.browser.ask('POST', `${security}/recovery-codes`, { password: '' })
  expect(made.body.recoveryCodes).toHaveLength(10)
  expect((await enter(two)).status).toBe(401)
  expect((await enter(made.body.recoveryCodes[3])).status).toBe(200)
  const rows = await web.db.query<{ hash: Uint8Array }>('select hash from recovery_code')
  expect(rows.every(({ hash }) => hash.length === 32)).toBe(true)
})

test('a passkey is the whole sign-in, and the second step after a password', async () => {
  const email = 'passkey@example.com'
  const browser = await newAccount(web, email)
  const { authenticator, done, started } = await addPasskey(browser)
  expect(started.body.options).toMatchObject({
    rp: { id: 'localhost', name: 'Farline' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  expect(done.body.security.passkeys).toMatchObject([{ name: 'My telephone', lastUsedAt: null }])
  expect(done.body.recoveryCodes).toHaveLength(10)

  const alone = openBrowser(web)
  expect((await signInWithPasskey(alone, authenticator)).status).toBe(200)
  expect(await listed(alone)).toMatchObject({
    signedInWithSecondFactor: true,
    passkeys: [{ lastUsedAt: web.clock.now().toISOString() }],
  })

  const second = openBrowser(web)
  expect((await second.logIn(email)).code).toBe('second_factor_required')
  const offered = await second.ask('POST', '/api/auth/second-factor/start')
  expect(offered.body.passkey.allowCredentials).toMatchObject([{ id: authenticator.credentialId }])
  const response = authenticator.get(offered.body.passkey)
  expect((await second.ask('POST', '/api/auth/passkey', { response })).status).toBe(200)
  // What was signed opens nothing a second time.
  expect((await second.ask('POST', '/api/auth/passkey', { response })).code).toBe('step_expired')
})

test.each([
  ['made for another site', { rpId: 'evil.example' }],
  ['on a page of another origin', { origin: 'http://localhost:9999' }],
  ['without finger, face or PIN', { userVerified: false }],
])('rejects a passkey: %s', async (_what, circumstances) => {
  const browser = await newAccount(web, `refused-${Object.keys(circumstances)[0]?.toLowerCase()}@example.com`)
  const { done } = await addPasskey(browser, createAuthenticator(circumstances))
  expect([done.status, done.code]).toEqual([400, 'passkey_refused'])
  expect((await listed(browser)).passkeys).toEqual([])
})

test('rejects an assertion that is not of this challenge, this account or this key', async () => {
  const [mine, theirs] = ['mine-key@example.com', 'their-key@example.com']
  const { authenticator } = await addPasskey(await newAccount(web, mine))
  const other = (await addPasskey(await newAccount(web, theirs))).authenticator
  const browser = openBrowser(web)
  const begin = async () => (await browser.ask('POST', '/api/auth/passkey/start')).body.options
  const send = async (response: object) => (await browser.ask('POST', '/api/auth/passkey', { response })).code
  await begin()
  expect(await send(authenticator.get({ challenge: Buffer.alloc(32).toString('base64url') }))).toBe(
    'passkey_refused',
  )
  const foreign = authenticator.get(await begin())
  expect(await send({ ...foreign, id: other.credentialId, rawId: other.credentialId })).toBe(
    'passkey_refused',
  )
  expect(await send({ ...foreign, id: 'unknown', rawId: 'unknown' })).toBe('passkey_refused')
  expect(await send({})).toBe('passkey_refused')
  // After a password only the account's own.
  await browser.logIn(mine)
  const offered = await browser.ask('POST', '/api/auth/second-factor/start')
  expect(await send(other.get(offered.body.passkey))).toBe('passkey_refused')
  expect(await send(authenticator.get(offered.body.passkey))).toBeUndefined()
})

test('a passkey whose counter goes back is a copy', async () => {
  let count = 5
  const authenticator = createAuthenticator({ counter: () => count })
  await addPasskey(await newAccount(web, 'copied@example.com'), authenticator)
  const enter = async () => (await signInWithPasskey(openBrowser(web), authenticator)).status
  count = 6
  expect(await enter()).toBe(200)
  count = 6
  expect(await enter()).toBe(401)
})

test('adding and removing asks for the password or a fresh sign-in, and is reported by e-mail', async () => {
  const email = 'careful@example.com'
  const browser = await newAccount(web, email)
  await addPasskey(browser)
  web.clock.advance(10 * minuteMs + 1)
  const requests = [
    ['POST', `${security}/passkeys/start`],
    ['POST', `${security}/authenticator/start`],
    ['POST', `${security}/recovery-codes`],
    ['DELETE', `${security}/authenticator`],
    ['DELETE', `${security}/passkeys/${(await listed(browser)).passkeys[0].id}`],
  ] as const
  for (const [method, url] of requests) {
    expect([url, (await browser.ask(method, url, { password: '' })).code]).toEqual([url, 'proof_needed'])
    expect((await browser.ask(method, url, { password: 'not mine' })).code).toBe('wrong_password')
  }
  const removed = await browser.ask('DELETE', requests[4][1], { password })
  expect(removed.body).toMatchObject({ passkeys: [], recoveryCodesLeft: null })
  expect((await subjectsTo(email)).slice(0, 2)).toEqual([
    'A passkey was removed from your Farline account',
    'A passkey was added to your Farline account',
  ])
  // The last second factor is gone: the password is enough again.
  expect((await openBrowser(web).logIn(email)).status).toBe(200)
})

test('nobody sees or removes another user’s factors, or ends a step that another browser began', async () => {
  const mine = await newAccount(web, 'own-keys@example.com')
  const theirs = await newAccount(web, 'other-keys@example.com')
  await addPasskey(mine)
  const [{ id }] = (await listed(mine)).passkeys
  expect((await theirs.ask('DELETE', `${security}/passkeys/${id}`, { password: '' })).status).toBe(404)
  const started = await mine.ask('POST', `${security}/passkeys/start`, { password: '' })
  theirs.cookies['step'] = mine.cookies['step'] ?? ''
  const response = createAuthenticator().create(started.body.options)
  expect((await theirs.ask('POST', `${security}/passkeys`, { response, name: 'x' })).code).toBe(
    'step_expired',
  )
  // A step that adds a passkey signs nobody in.
  const stranger = openBrowser(web)
  stranger.cookies['step'] = mine.cookies['step'] ?? ''
  expect((await secondStep(stranger, '123456')).code).toBe('step_expired')
  expect((await stranger.ask('POST', '/api/auth/passkey', { response })).code).toBe('step_expired')
})

test('a step ends after 10 minutes, and with a password that is changed meanwhile', async () => {
  const email = 'slow@example.com'
  const owner = await newAccount(web, email)
  const { code } = await addAuthenticator(web, owner)
  web.clock.advance(minuteMs)
  const browser = openBrowser(web)
  await browser.logIn(email)
  web.clock.advance(10 * minuteMs)
  expect((await secondStep(browser, code())).code).toBe('step_expired')
  await browser.logIn(email)
  const next = 'another battery staple'
  await owner.ask('POST', '/api/protected/profile/password', { current: password, next })
  expect((await secondStep(browser, code())).code).toBe('step_expired')
})

test('a password chosen by mail does not go around the second factor', async () => {
  const email = 'mailbox@example.com'
  const owner = await newAccount(web, email)
  const { code } = await addAuthenticator(web, owner)
  web.clock.advance(minuteMs)
  const reader = openBrowser(web)
  await reader.ask('POST', '/api/auth/forgot-password', { email })
  const link = newestToken(
    (await web.readMails()).filter(({ to }) => to === email),
    'reset',
  )
  const next = 'a password of the reader'
  const reset = await reader.ask('POST', '/api/auth/reset-password', { token: link, password: next })
  expect([reset.status, reset.code, reader.token]).toEqual([403, 'second_factor_required', undefined])
  expect((await owner.ask('GET', '/api/protected/me')).status).toBe(401)
  expect((await secondStep(reader, code())).status).toBe(200)
})

test('an operator removes all factors of a user who has lost everything: signed out, notified, recorded', async () => {
  const email = 'lost-all@example.com'
  const owner = await newAccount(web, email)
  await addAuthenticator(web, owner)
  await addPasskey(owner)
  expect(await resetSecondFactor(web.services, { email, actor: 'root' })).toEqual({
    ok: true,
    value: { devices: 1 },
  })
  expect((await owner.ask('GET', '/api/protected/me')).status).toBe(401)
  expect((await openBrowser(web).logIn(email)).status).toBe(200)
  expect((await subjectsTo(email))[0]).toMatch(/second factors|New sign-in/)
  expect(await subjectsTo(email)).toContain('We removed the second factors of your Farline account')
  const [entry] = await web.db.query(`select action, detail from audit_entry where actor = 'root'`)
  expect(entry).toEqual({ action: 'reset_second_factor', detail: { devices: 1 } })
  expect(await resetSecondFactor(web.services, { email, actor: 'root' })).toMatchObject({
    code: 'no_second_factor',
  })
})

test('an account has ten passkeys at most, and another user’s cannot be added', async () => {
  const browser = await newAccount(web, 'many-keys@example.com')
  const { authenticator } = await addPasskey(browser)
  const thief = await newAccount(web, 'key-thief@example.com')
  expect((await addPasskey(thief, authenticator)).done.code).toBe('passkey_refused')
  for (let nth = 1; nth < 10; nth += 1) expect((await addPasskey(browser)).done.status).toBe(200)
  expect((await browser.ask('POST', `${security}/passkeys/start`, { password: '' })).code).toBe(
    'too_many_passkeys',
  )
})
