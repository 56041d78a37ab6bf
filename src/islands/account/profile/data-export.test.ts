import type { ServerResponse } from 'node:http'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  answer,
  freshBrowser,
  refuse,
  serve,
  storageEvent,
  type TestServer,
  tokenFor,
} from '#support/fake-browser.ts'

/** On a busy machine. */
const waitOptions = { timeout: 5000 }
const today = new Date(2026, 10, 5, 23, 30)

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let send: (response: ServerResponse) => void
let good: string
let renews: boolean
let saved: { readonly name: string; readonly file: Blob }[]
const save = (file: Blob, name: string) => void saved.push({ name, file })

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  good = tokenFor(60, 'anna')
  localStorage.setItem('token', good)
  renews = true
  saved = []
  send = response => response.end('a whole zip')
  server = await serve((request, response) => {
    if (request.url === '/api/auth/refresh-token') {
      if (!renews) return refuse(response, 401, 'no_session')
      good = tokenFor(60, 'anna')
      return answer(response, 200, { token: good })
    }
    if (request.headers.authorization !== `Bearer ${good}`) return refuse(response, 401, 'unauthorized')
    send(response)
  })
})

const load = () => import('./data-export.ts')

test('saves the file under the day in the reader’s own time', async () => {
  const page = await load()
  await page.fetchData(save, today)
  expect(saved.map(({ name }) => name)).toEqual(['farline-data-2026-11-05.zip'])
  expect(await saved[0]?.file.text()).toBe('a whole zip')
  expect(page.$dataExport.get()).toEqual({ state: 'done' })
})

test('shows its progress while the pieces arrive', async () => {
  let finish = () => {}
  send = response => {
    response.writeHead(200, { 'content-length': 8 })
    response.write('1234')
    finish = () => response.end('5678')
  }
  const page = await load()
  const fetching = page.fetchData(save, today)
  expect(page.$dataExport.get()).toEqual({ state: 'fetching', bytes: 0, total: null })
  await vi.waitFor(
    () => expect(page.$dataExport.get()).toEqual({ state: 'fetching', bytes: 4, total: 8 }),
    waitOptions,
  )
  finish()
  await fetching
  expect(await saved[0]?.file.text()).toBe('12345678')
})

test('pressed twice it is fetched once', async () => {
  const page = await load()
  await Promise.all([page.fetchData(save, today), page.fetchData(save, today)])
  expect(server.requests).toEqual(['GET /api/protected/export'])
  expect(saved).toHaveLength(1)
})

test('does not save an interrupted download as if it were whole', async () => {
  send = response => {
    response.write('half a')
    setTimeout(() => response.destroy(), 20)
  }
  const page = await load()
  await page.fetchData(save, today)
  expect(saved).toEqual([])
  expect(page.$dataExport.get()).toEqual({
    state: 'failed',
    message: 'The download stopped. Please try again.',
  })
})

test('shows the server’s text for a rejection, and offers another try', async () => {
  send = response => refuse(response, 429, 'too_many_requests')
  const page = await load()
  await page.fetchData(save, today)
  expect(page.$dataExport.get()).toEqual({ state: 'failed', message: 'Refused: too_many_requests.' })
  send = response => response.end('zip')
  await page.fetchData(save, today)
  expect(page.$dataExport.get()).toEqual({ state: 'done' })
})

test('renews an expired session once, and ends where that is rejected', async () => {
  localStorage.setItem('token', tokenFor(60, 'anna'))
  const page = await load()
  await page.fetchData(save, today)
  expect(saved).toHaveLength(1)
  expect(server.requests).toEqual([
    'GET /api/protected/export',
    'POST /api/auth/refresh-token',
    'GET /api/protected/export',
  ])
  good = 'another'
  renews = false
  await page.fetchData(save, today)
  const { $session } = await import('#session/session.ts')
  expect($session.get()).toEqual({ status: 'signed_out' })
  expect(page.$dataExport.get()).toEqual({ state: 'idle' })
})

test('given up, nothing is saved', async () => {
  send = response => response.write('half a')
  const page = await load()
  const fetching = page.fetchData(save, today)
  await vi.waitFor(() => expect(page.$dataExport.get()).toMatchObject({ bytes: 6 }), waitOptions)
  page.stopFetchingData()
  await fetching
  expect(saved).toEqual([])
  expect(page.$dataExport.get()).toEqual({ state: 'idle' })
})

test('stops a download when another user signs in, and does not save it for them', async () => {
  send = response => response.write('half a')
  const page = await load()
  const fetching = page.fetchData(save, today)
  await vi.waitFor(() => expect(page.$dataExport.get()).toMatchObject({ bytes: 6 }), waitOptions)
  const signInElsewhere = (user: string) => {
    localStorage.setItem('token', tokenFor(60, user))
    browser.window.dispatchEvent(storageEvent('token'))
  }
  signInElsewhere('anna')
  expect(page.$dataExport.get()).toMatchObject({ bytes: 6 })
  signInElsewhere('bob')
  await fetching
  expect(saved).toEqual([])
  expect(page.$dataExport.get()).toEqual({ state: 'idle' })
})
