import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

const number = { phone_number: '+442079460958', dial_code: '+44', iso_code: 'GB' }
const mum = { id: 'c1', name: 'Mum', ...number, favourite: true, notes: 'Rings twice.', extension: ',9' }

let bodies: string[]
let restores: boolean[]

beforeEach(async () => {
  freshBrowser()
  localStorage.setItem('token', tokenFor(600))
  bodies = []
  restores = [true]
  await serve((request, response, body) => {
    const { method, url } = request
    if (url === '/api/protected/me') return answer(response, 200, exampleUser)
    if (method === 'GET' && url === '/api/contacts') return answer(response, 200, [mum])
    if (method === 'DELETE' && url === '/api/contacts/c1') return answer(response, 204)
    if (method === 'POST' && url === '/api/contacts') {
      bodies.push(body)
      const works = restores.length > 1 ? restores.shift() : restores[0]
      return works ? answer(response, 201, { ...JSON.parse(body), id: 'c2' }) : answer(response, 503, {})
    }
    refuse(response, 404, 'not_found')
  })
})
afterEach(() => vi.useRealTimers())

async function openPage() {
  vi.resetModules()
  const [undo, contacts, user] = await Promise.all([
    import('./undo-delete.ts'),
    import('#shared/contacts.ts'),
    import('#session/user.ts'),
  ])
  contacts.followContacts()
  await user.loadUser()
  const list = () => {
    const known = contacts.$contacts.get()
    return known.state === 'ready' ? known.value : known.state
  }
  await vi.waitFor(() => expect(list()).toEqual([mum]))
  return { ...undo, list }
}

test('brings a deleted contact back with all that it had', async () => {
  const page = await openPage()
  expect(await page.deleteWithUndo(mum)).toBe('deleted')
  expect(page.list()).toEqual([])
  expect(page.$deleted.get()).toEqual([mum])
  expect(await page.undoDelete(mum)).toEqual({ restored: true })
  const { id: _, ...whole } = mum
  expect(JSON.parse(bodies[0] ?? '')).toEqual(whole)
  expect(page.list()).toEqual([{ ...mum, id: 'c2' }])
  expect(page.$deleted.get()).toEqual([])
})

test('a failed undo keeps the offer', async () => {
  restores = [false, true]
  const page = await openPage()
  await page.deleteWithUndo(mum)
  expect(await page.undoDelete(mum)).toEqual({ restored: false })
  expect(page.$deleted.get()).toEqual([mum])
  expect(await page.undoDelete(mum)).toEqual({ restored: true })
})

test('the offer ends after 10 s, but not while it is held', async () => {
  const page = await openPage()
  await page.deleteWithUndo(mum)
  vi.useFakeTimers()
  // Starts its time anew, on the fake clock.
  page.holdUndo('pointer')
  vi.advanceTimersByTime(60_000)
  expect(page.$deleted.get()).toEqual([mum])
  page.releaseUndo('pointer')
  vi.advanceTimersByTime(page.undoMs - 1)
  expect(page.$deleted.get()).toEqual([mum])
  vi.advanceTimersByTime(1)
  expect(page.$deleted.get()).toEqual([])
})

test('the offer stays while the focus is on it, though the pointer leaves', async () => {
  const page = await openPage()
  await page.deleteWithUndo(mum)
  vi.useFakeTimers()
  page.holdUndo('focus')
  page.holdUndo('pointer')
  page.releaseUndo('pointer')
  vi.advanceTimersByTime(60_000)
  expect(page.$deleted.get()).toEqual([mum])
  page.releaseUndo('focus')
  vi.advanceTimersByTime(page.undoMs)
  expect(page.$deleted.get()).toEqual([])
})

test.each([
  ['a premium-rate number', '+449098790000'],
  ['an emergency number', '+44999'],
])('%s, which cannot be saved again, is deleted only when that was said', async (_, phone_number) => {
  const page = await openPage()
  const old = { ...mum, phone_number }
  expect(await page.deleteWithUndo(old)).toBe('final')
  expect(page.list()).toEqual([mum])
  expect(await page.deleteWithUndo(old, true)).toBe('deleted')
  expect(page.list()).toEqual([])
  expect(page.$deleted.get()).toEqual([])
})
