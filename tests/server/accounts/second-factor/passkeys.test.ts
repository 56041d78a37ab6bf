import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createAuthenticator } from '#support/software-authenticator.ts'
import { createWeb } from '#support/web.ts'
import { addPasskey, type Browser, listed, newAccount, openBrowser, secondStep, security } from './world.ts'

const web = keepForFile(await createWeb())

async function signInWithPasskey(browser: Browser, authenticator: ReturnType<typeof createAuthenticator>) {
  const started = await browser.ask('POST', '/api/auth/passkey/start')
  return browser.ask('POST', '/api/auth/passkey', { response: authenticator.get(started.body.options) })
}

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
  expect(await send({ ...foreign, id: 'unknown', rawId: 'unknown' })).toBe('passkey_unknown')
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
