import { expect, test } from 'vitest'
import { plain } from '#server/accounts/second-factor/factors.ts'
import { resetSecondFactor } from '#server/accounts/second-factor/operator-reset.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'
import { newestToken } from '../emails.ts'
import {
  addAuthenticator,
  addPasskey,
  listed,
  newAccount,
  openBrowser,
  secondStep,
  security,
  subjectsTo,
} from './world.ts'

const web = keepForFile(await createWeb())

const minuteMs = 60_000

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
  expect((await subjectsTo(web, email))[0]).toBe('An authenticator app was added to your Farline account')

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
  expect(await subjectsTo(web, email)).toContain('A recovery code was used to log in to your Farline account')
  const made = await entered.browser.ask('POST', `${security}/recovery-codes`, { password: '' })
  expect(made.body.recoveryCodes).toHaveLength(10)
  expect((await enter(two)).status).toBe(401)
  expect((await enter(made.body.recoveryCodes[3])).status).toBe(200)
  const rows = await web.db.query<{ hash: Uint8Array }>('select hash from recovery_code')
  expect(rows.every(({ hash }) => hash.length === 32)).toBe(true)
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
  expect((await subjectsTo(web, email)).slice(0, 2)).toEqual([
    'A passkey was removed from your Farline account',
    'A passkey was added to your Farline account',
  ])
  // The last second factor is gone: the password is enough again.
  expect((await openBrowser(web).logIn(email)).status).toBe(200)
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
  expect((await subjectsTo(web, email))[0]).toMatch(/second factors|New login/)
  expect(await subjectsTo(web, email)).toContain('We removed the second factors from your Farline account')
  const [entry] = await web.db.query(`select action, detail from audit_entry where actor = 'root'`)
  expect(entry).toEqual({ action: 'reset_second_factor', detail: { devices: 1 } })
  expect(await resetSecondFactor(web.services, { email, actor: 'root' })).toMatchObject({
    code: 'no_second_factor',
  })
})

test('a code is read in the digits of any script, with what people type between them', () => {
  for (const typed of ['123456', '123 456', '١٢٣ ٤٥٦', '۱۲۳۴۵۶', '१२३-४५६', '১২৩৪৫৬'])
    expect(plain(typed)).toBe('123456')
})
