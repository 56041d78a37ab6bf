import type { ServerResponse } from 'node:http'
import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'
import type { Call } from '#voice/call.ts'

const me = { ...exampleUser, credits: 0, has_used_free_call: false }

const call = (id: string, state = 'ended') => ({
  id,
  to: '+12125550101',
  isoCode: 'US',
  state,
  placedAt: '2026-11-20T10:00:00.000Z',
  answeredAt: null,
  endedAt: state === 'ended' ? '2026-11-20T10:00:10.000Z' : null,
  seconds: 0,
  ratePerMinute: 0.02,
  minutesCharged: 0,
  cost: 0,
  free: false,
  outcome: state === 'ended' ? 'busy' : null,
  credit: null,
})

let server: TestServer
/** How the next list is given, in turn; the last one repeats. */
let lists: ((response: ServerResponse) => void)[]

const list =
  (...calls: object[]) =>
  (response: ServerResponse) =>
    answer(response, 200, { calls, nextCursor: null })

beforeEach(async () => {
  freshBrowser()
  localStorage.setItem('token', tokenFor(600))
  lists = [list(call('b'), call('a'))]
  server = await serve((request, response) => {
    if (request.url === '/api/protected/me') return answer(response, 200, me)
    const next = lists.length > 1 ? lists.shift() : lists[0]
    if (request.url?.startsWith('/api/calls?') && next !== undefined) return next(response)
    refuse(response, 404, 'not_found')
  })
})

async function openPage() {
  vi.resetModules()
  const [recents, user, session] = await Promise.all([
    import('./recents.ts'),
    import('#session/user.ts'),
    import('#session/session.ts'),
  ])
  const ids = () => {
    const known = recents.$recents.get()
    return known.state === 'ready' ? known.value.map(({ id }) => id) : known.state
  }
  const asked = () => server.requests.filter(request => request.includes('/api/calls')).length
  return { ...recents, ...user, ...session, ids, asked }
}

test('asks for nothing while nobody looks, and once for all who do', async () => {
  const page = await openPage()
  await page.loadUser()
  page.refreshRecents()
  expect(page.asked()).toBe(0)
  const leave = [page.followRecents(), page.followRecents()]
  await vi.waitFor(() => expect(page.ids()).toEqual(['b', 'a']))
  expect(page.asked()).toBe(1)
  for (const stop of leave) stop()
  page.refreshRecents()
  expect(page.asked()).toBe(1)
  // When it is shown again, it is loaded again, and stays visible meanwhile.
  lists = [list(call('c'), call('b'))]
  page.followRecents()
  expect(page.ids()).toEqual(['b', 'a'])
  await vi.waitFor(() => expect(page.ids()).toEqual(['c', 'b']))
})

test('does not list a running call', async () => {
  lists = [list(call('live', 'answered'), call('b'), call('a'))]
  const page = await openPage()
  await page.loadUser()
  page.followRecents()
  await vi.waitFor(() => expect(page.ids()).toEqual(['b', 'a']))
})

test('reports a list that does not load, and keeps one that was there', async () => {
  lists = [r => refuse(r, 503, 'unavailable'), list(call('a')), r => refuse(r, 500, 'internal')]
  const page = await openPage()
  await page.loadUser()
  page.followRecents()
  await vi.waitFor(() =>
    expect(page.$recents.get()).toEqual({ state: 'failed', message: 'Refused: unavailable.' }),
  )
  await page.loadRecents()
  expect(page.ids()).toEqual(['a'])
  await page.loadRecents()
  expect(page.ids()).toEqual(['a'])
})

test('an answer from before a newer question is dropped, and all of it with the session', async () => {
  const late = Promise.withResolvers<ServerResponse>()
  lists = [late.resolve, list(call('new'))]
  const page = await openPage()
  await page.loadUser()
  page.followRecents()
  const response = await late.promise
  await page.loadRecents()
  expect(page.ids()).toEqual(['new'])
  answer(response, 200, { calls: [call('old')], nextCursor: null })
  await page.loadRecents()
  expect(page.ids()).toEqual(['new'])
  page.endSession()
  expect(page.ids()).toBe('loading')
})

test('during a call a handset changes nothing', async () => {
  const page = await openPage()
  const { $dial } = await import('../number/dial.ts')
  const line = await import('../call/call.ts')
  vi.spyOn(line.$call, 'get').mockReturnValue({ state: 'ringing' } as Call)
  await page.callAgain({ to: '+12125550101', isoCode: 'US' })
  expect($dial.get().typed).toBe('')
})
