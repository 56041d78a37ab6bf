import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'

const own = '+447700900142'
const other = '+12125550100'

let server: TestServer
/** Who is signed in, and which numbers the server holds for verified. */
let userId: string
let numbers: string[]
let removalStatus: number
/** Whatever was asked to be forgotten. */
let removed: string[]
/** Holds the next list back until somebody lets it go. */
let held: PromiseWithResolvers<void> | null
/** The server no longer accepts any token. */
let refusesTokens: boolean

beforeEach(async () => {
  freshBrowser()
  held = null
  refusesTokens = false
  userId = 'one'
  numbers = [own, other]
  removalStatus = 204
  removed = []
  server = await serve((request, response, body) => {
    if (request.url === '/api/protected/me') return answer(response, 200, user(userId))
    if (refusesTokens) return refuse(response, 401, 'unauthorized')
    if (request.url === '/api/caller-id/verified' && request.method === 'DELETE') {
      if (removalStatus !== 204) return refuse(response, removalStatus, 'internal')
      removed.push(JSON.parse(body).phoneNumber)
      return void response.writeHead(204).end()
    }
    if (request.url === '/api/caller-id/verified') {
      const list = numbers.map(phone_number => ({ phone_number }))
      return void (held?.promise ?? Promise.resolve()).then(() => answer(response, 200, list))
    }
    const [path, query] = (request.url ?? '').split('?')
    if (path === '/api/rates/number/%2B4915123456789') {
      const expensive = query === `from=${encodeURIComponent(other)}`
      const price = expensive ? { ourRate: 0.289, surcharge: 0.266 } : { ourRate: 0.023 }
      return answer(response, 200, { isoCode: 'DE', kind: 'mobile', freeMinutes: 1, ...price })
    }
    refuse(response, 404, 'not_found')
  })
})

const user = (id: string) => ({ ...exampleUser, id, email: `${id}@example.com` })

/** The stores of a page that has just loaded, signed in. */
async function openPage() {
  vi.resetModules()
  localStorage.setItem('token', tokenFor(600))
  const [callerIds, { loadUser }] = await Promise.all([import('./caller-ids.ts'), import('#session/user.ts')])
  callerIds.followCallerIds()
  await loadUser()
  await vi.waitFor(() => expect(callerIds.$callerIds.get()).not.toBeNull())
  return callerIds
}

test('calls show the public number until another one is chosen, which this browser remembers', async () => {
  const first = await openPage()
  expect(first.$callerIds.get()).toEqual([own, other])
  expect(await first.callerIdForCall()).toBeUndefined()
  first.chooseCallFrom(own)
  expect(await first.callerIdForCall()).toBe(own)
  const second = await openPage()
  expect(await second.callerIdForCall()).toBe(own)
  second.chooseCallFrom(null)
  expect(await (await openPage()).callerIdForCall()).toBeUndefined()
})

test('asks for a rate with what calls show, and again when that changes', async () => {
  const page = await openPage()
  const { settleRate, $rate, watchRate, followCallFrom } = await import('#islands/dialler/number/rate.ts')
  followCallFrom()
  await settleRate('+4915123456789')
  watchRate('+4915123456789')
  expect($rate.get()).toMatchObject({ microUsdPerMinute: 23_000, surchargeMicroUsd: 0 })
  page.chooseCallFrom(other)
  await vi.waitFor(() =>
    expect($rate.get()).toMatchObject({ microUsdPerMinute: 289_000, surchargeMicroUsd: 266_000 }),
  )
  page.chooseCallFrom(null)
  await vi.waitFor(() => expect($rate.get()).toMatchObject({ microUsdPerMinute: 23_000 }))
})

test('no longer shows a number that is no longer verified', async () => {
  ;(await openPage()).chooseCallFrom(own)
  numbers = [other]
  const page = await openPage()
  expect(page.$callFrom.get()).toBeNull()
  expect(await page.callerIdForCall()).toBeUndefined()
})

test('another user at the same browser begins with the public number', async () => {
  ;(await openPage()).chooseCallFrom(own)
  userId = 'two'
  expect(await (await openPage()).callerIdForCall()).toBeUndefined()
})

test('the choice leaves the browser with a logout, from whichever page', async () => {
  ;(await openPage()).chooseCallFrom(own)
  expect(localStorage.getItem('callFrom')).not.toBeNull()
  vi.resetModules()
  const { logout } = await import('#session/session.ts')
  await logout()
  expect(localStorage.getItem('callFrom')).toBeNull()
})

test('ignores any other stored value', async () => {
  for (const text of ['', '{', '"+447700900142"', '{"number":"+447700900142"}']) {
    localStorage.setItem('callFrom', text)
    expect((await openPage()).$callFrom.get()).toBeNull()
  }
})

test('a removed number leaves the list and the choice, also when another tab was quicker', async () => {
  const page = await openPage()
  page.chooseCallFrom(own)
  expect(await page.removeCallerId(own)).toBe(true)
  expect(page.$callerIds.get()).toEqual([other])
  expect(page.$callFrom.get()).toBeNull()
  numbers = [own, other]
  expect((await openPage()).$callFrom.get()).toBeNull()
  expect(removed).toEqual([own])
  removalStatus = 404
  expect(await page.removeCallerId(other)).toBe(true)
  expect(page.$callerIds.get()).toEqual([])
})

test('a list from before a removal does not bring the number back', async () => {
  const page = await openPage()
  held = Promise.withResolvers()
  const asked = server.requests.length
  const listing = page.loadCallerIds()
  await vi.waitFor(() => expect(server.requests).toHaveLength(asked + 1))
  await page.removeCallerId(own)
  held.resolve()
  expect(await listing).toBeNull()
  expect(page.$callerIds.get()).toEqual([other])
})

test('a list that does not load keeps what is known, and logs nobody out', async () => {
  const page = await openPage()
  refusesTokens = true
  expect(await page.loadCallerIds()).toBeNull()
  expect(page.$callerIds.get()).toEqual([own, other])
  expect(localStorage.getItem('token')).not.toBeNull()
})

test('a call placed before the user is known waits for what this browser remembers', async () => {
  ;(await openPage()).chooseCallFrom(own)
  vi.resetModules()
  const early = await import('./caller-ids.ts')
  early.followCallerIds()
  expect(await early.callerIdForCall()).toBe(own)
})

test('a number that could not be removed stays, and stays chosen', async () => {
  const page = await openPage()
  page.chooseCallFrom(own)
  removalStatus = 500
  expect(await page.removeCallerId(own)).toBe(false)
  expect(page.$callerIds.get()).toEqual([own, other])
  expect(page.$callFrom.get()).toBe(own)
})
