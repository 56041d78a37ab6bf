import { expect, test } from 'vitest'
import { secondFactorPolicy } from '#server/config/policy.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { addAuthenticator, type Browser, newAccount, openBrowser, secondStep } from './world.ts'

/** Wrong codes: how many are allowed, whom they lock out, and who is notified. */

const web = keepForFile(await createWeb())

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const { maxCodes, maxCodesPerDay } = secondFactorPolicy

/** An account with an authenticator app, and a browser that its owner has signed in with. */
async function openAccount(email: string) {
  const { code, recoveryCodes } = await addAuthenticator(web, await newAccount(web, email))
  web.clock.advance(minuteMs)
  const known = openBrowser(web)
  await known.logIn(email)
  expect((await secondStep(known, code())).status).toBe(200)
  web.clock.advance(minuteMs)
  /** The status of a sign-in, of a browser that nobody has signed in with unless given. */
  const enter = async (typed = code(), browser = openBrowser(web, '192.0.2.60')) => {
    await browser.logIn(email)
    return secondStep(browser, typed)
  }
  return { code, recoveryCodes, known, enter }
}

let networks = 0
/** Somebody who knows the password tries codes. @returns the statuses */
async function guess(email: string, count: number, given?: Browser) {
  networks += 1
  const browser = given ?? openBrowser(web, `198.51.100.${networks}`)
  await browser.logIn(email)
  const statuses: number[] = []
  for (let nth = 0; nth < count; nth += 1)
    statuses.push((await secondStep(browser, String(100_000 + nth))).status)
  return statuses
}

test('whoever tries codes elsewhere does not keep an owner out of a browser that they know', async () => {
  const email = 'besieged@example.com'
  const { code, recoveryCodes, known, enter } = await openAccount(email)
  expect(await guess(email, maxCodes + 1)).toEqual([...Array(maxCodes).fill(401), 429])
  expect((await enter(code(), known)).status).toBe(200)
  expect((await enter(recoveryCodes[0], known)).status).toBe(200)
  // What was tried elsewhere counts on.
  const refused = await enter()
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    "Too many wrong codes. You can still enter one in a browser you've logged in with before. Wait 15 minutes and try again.",
  ])
})

test('a browser that is known has ten guesses of its own', async () => {
  const email = 'lent@example.com'
  const { code, known, enter } = await openAccount(email)
  expect(await guess(email, maxCodes, known)).toEqual(Array(maxCodes).fill(401))
  const refused = await secondStep(known, code())
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    'Too many wrong codes. Wait 15 minutes and try again.',
  ])
  expect((await enter()).status).toBe(200)
})

test('thirty codes of an account are wrong in a day, also where its owner signs in meanwhile', async () => {
  const email = 'every-day@example.com'
  const { code, known, enter } = await openAccount(email)
  const begunMs = web.clock.now().getTime()
  for (let round = 0; round < maxCodesPerDay / maxCodes; round += 1) {
    expect(await guess(email, maxCodes)).toEqual(Array(maxCodes).fill(401))
    web.clock.advance(15 * minuteMs)
    if (round === 0) expect((await enter()).status).toBe(200)
  }
  expect(await guess(email, 2)).toEqual([429, 429])
  const refused = await enter()
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    expect.stringMatching(/Wait 24 hours and try again\.$/),
  ])
  expect((await enter(code(), known)).status).toBe(200)
  web.clock.advance(begunMs + 24 * hourMs - web.clock.now().getTime())
  expect((await enter()).status).toBe(200)
})

test('notifies the owner by one e-mail a day, at the tenth wrong code', async () => {
  const email = 'told@example.com'
  await openAccount(email)
  const mailed = async () =>
    (await web.readMails()).filter(
      ({ to, subject }) =>
        to === email && subject === 'Somebody tried codes to get into your Farline account',
    )
  await guess(email, maxCodes - 1)
  expect(await mailed()).toEqual([])
  web.clock.advance(15 * minuteMs)
  await guess(email, 1)
  const [mail] = await mailed()
  expect(mail?.text).toContain('Change your password now')
  expect(mail?.text).toContain('/forgot-password')
  await guess(email, maxCodes)
  expect(await mailed()).toHaveLength(1)
  web.clock.advance(24 * hourMs)
  await guess(email, maxCodes)
  expect(await mailed()).toHaveLength(2)
})
