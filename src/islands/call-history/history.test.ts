import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, storageEvent, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
let failing: boolean
/** What the server lists as the newest. */
let newest: string[]
let visits: string[]
/** Who lists other calls than the rest. */
let other: string
/** What lists were asked for by, and the last totals. */
let asked: object[]
let totalsAsked: { from?: string }
/** What an answer with older calls waits for. */
let held: Promise<void>

/** Longer than what is typed rests, on a machine that is busy. */
const soon = { timeout: 5_000 }
vi.setConfig({ testTimeout: 20_000 })

const user = { ...exampleUser, credits: 0, has_used_free_call: false }

function call(id: string) {
  const time = '2025-11-20T14:02:00.000Z'
  return {
    id,
    to: '+12125550100',
    isoCode: 'US',
    state: 'ended',
    placedAt: time,
    answeredAt: time,
    endedAt: time,
    seconds: 10,
    ratePerMinute: 0.02,
    minutesCharged: 1,
    cost: 0.02,
    free: false,
    outcome: 'completed',
  }
}

async function openPage(address = '/call-history') {
  vi.resetModules()
  const location = Object.assign((browser.window as unknown as Window).location, {
    href: `http://localhost${address}`,
  })
  const visit = (way: string) => (_: unknown, __: string, path: string) => {
    visits.push(`${way} ${path}`)
    location.href = `http://localhost${path}`
  }
  Object.assign(browser.window, { history: { pushState: visit('push'), replaceState: visit('replace') } })
  const [history, totals, csv, session] = await Promise.all([
    import('./history.ts'),
    import('./history-totals.ts'),
    import('./history-csv.ts'),
    import('#session/session.ts'),
  ])
  const ids = () => {
    const shown = history.$history.get()
    return shown.state === 'ready' ? shown.calls.map(({ id }) => id) : shown.state
  }
  return { ...history, ...totals, ...csv, ...session, ids }
}

/** Another tab logs in, or out with null. */
function inAnotherTab(token: string | null): void {
  if (token === null) localStorage.removeItem('token')
  else localStorage.setItem('token', token)
  browser.window.dispatchEvent(storageEvent('token'))
}

beforeEach(async () => {
  browser = freshBrowser()
  failing = false
  newest = ['c', 'b']
  visits = []
  asked = []
  totalsAsked = {}
  other = tokenFor(60)
  held = Promise.resolve()
  localStorage.setItem('token', tokenFor(60))
  await serve((request, response, body) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    if (failing) return refuse(response, 503, 'unavailable')
    if (pathname === '/api/protected/me') return answer(response, 200, user)
    if (pathname === '/api/calls/totals') {
      totalsAsked = JSON.parse(body)
      const calls = 'who' in totalsAsked ? 1 : 3
      return answer(response, 200, { calls, minutes: 3, minutesCharged: 2, spent: 0.04, refunded: 0 })
    }
    if (pathname !== '/api/calls/search') return answer(response, 204)
    const filter = JSON.parse(body)
    asked.push(filter)
    if ('who' in filter) return answer(response, 200, { calls: [call('a')], nextCursor: null })
    const theirs = request.headers.authorization === `Bearer ${other}`
    if ('cursor' in filter) {
      const calls = theirs ? [call('x')] : [call('b'), call('a')]
      return void held.then(() => answer(response, 200, { calls, nextCursor: null }))
    }
    if (theirs) return answer(response, 200, { calls: [call('x')], nextCursor: null })
    answer(response, 200, { calls: newest.map(call), nextCursor: 'b' })
  })
})

test('lists the newest calls, then older ones after them, each once', async () => {
  const page = await openPage()
  await page.openHistory()
  await Promise.all([page.loadMore(), page.loadMore()])
  await page.loadMore()
  expect(page.ids()).toEqual(['c', 'b', 'a'])
  expect(asked).toEqual([{}, { cursor: 'b' }])
})

test('sends a visitor to log in and come back to what the link shows', async () => {
  localStorage.removeItem('token')
  const page = await openPage('/call-history#who=0142')
  await page.openHistory()
  expect(browser.visited).toEqual(['/login?next=%2Fcall-history#who=0142'])
})

test('a bookmark of an earlier version shows what it meant', async () => {
  const page = await openPage('/call-history?who=0142')
  await page.openHistory()
  expect(asked).toEqual([{ who: '0142' }])
})

test('after a failure it can be tried again, with the same filter', async () => {
  failing = true
  const page = await openPage('/call-history#who=0142')
  await page.openHistory()
  expect(page.$history.get()).toEqual({ state: 'failed', message: 'Refused: unavailable.' })
  failing = false
  await page.showCalls()
  expect(page.ids()).toEqual(['a'])
})

test('older calls that do not come leave the list as it was, to be tried again', async () => {
  const page = await openPage()
  await page.openHistory()
  failing = true
  await page.loadMore()
  expect(page.$history.get()).toMatchObject({ state: 'ready', more: 'failed', nextCursor: 'b' })
  failing = false
  await page.loadMore()
  expect(page.$history.get()).toMatchObject({ state: 'ready', more: 'idle', nextCursor: null })
})

test("searches for the typed text once typing pauses, and adds one step to the browser's history", async () => {
  const page = await openPage()
  await page.openHistory()
  for (const who of ['0', '01', '014']) page.changeFilter({ who })
  expect(page.$filter.get().who).toBe('014')
  expect(page.ids()).toEqual(['c', 'b'])
  await vi.waitFor(() => expect(page.ids()).toEqual(['a']), soon)
  page.changeFilter({ who: '0142' })
  await vi.waitFor(() => expect(asked).toHaveLength(3), soon)
  page.changeFilter({ outcome: 'talked' })
  await vi.waitFor(() => expect(asked).toHaveLength(4), soon)
  expect(visits).toEqual([
    'push /call-history#who=014',
    'replace /call-history#who=0142',
    'push /call-history#who=0142&outcome=talked',
  ])
  await page.clearFilter()
  expect(page.ids()).toEqual(['c', 'b'])
  expect(visits.at(-1)).toBe('push /call-history')
})

test('the totals are those of the month, or of what is filtered, whatever is loaded', async () => {
  const page = await openPage()
  await page.openHistory()
  await vi.waitFor(
    () => expect(page.$historyTotals.get()).toMatchObject({ of: 'month', totals: { calls: 3 } }),
    soon,
  )
  const now = new Date()
  expect(new Date(totalsAsked.from ?? '')).toEqual(new Date(now.getFullYear(), now.getMonth(), 1))
  page.changeFilter({ who: '0142' })
  await vi.waitFor(
    () => expect(page.$historyTotals.get()).toMatchObject({ of: 'filter', totals: { calls: 1 } }),
    soon,
  )
})

test('a call that ends meanwhile comes on top, and the older pages stay', async () => {
  const page = await openPage()
  await page.openHistory()
  await page.loadMore()
  newest = ['d', 'c']
  await page.refreshHistory()
  expect(page.ids()).toEqual(['d', 'c', 'b', 'a'])
  expect(page.$history.get()).toMatchObject({ nextCursor: null })
})

test('reloads the list from its beginning after a long absence, so that none is missing in its middle', async () => {
  const page = await openPage()
  await page.openHistory()
  await page.loadMore()
  newest = ['z', 'y']
  await page.refreshHistory()
  expect(page.ids()).toEqual(['z', 'y'])
  expect(page.$history.get()).toMatchObject({ nextCursor: 'b' })
})

test('announces a list after it was asked for, not when calls arrive by themselves', async () => {
  const page = await openPage()
  await page.openHistory()
  expect(page.$history.get()).toMatchObject({ asked: true })
  newest = ['d', 'c']
  await page.refreshHistory()
  expect(page.$history.get()).toMatchObject({ asked: false })
  await page.loadMore()
  expect(page.$history.get()).toMatchObject({ asked: true })
})

test('a file is of what is listed, not of what is being typed', async () => {
  const page = await openPage('/call-history#who=0142')
  await page.openHistory()
  page.changeFilter({ who: '01423' })
  expect(page.shownFilter()).toMatchObject({ who: '0142' })
  await page.clearFilter()
})

test('logged out in another tab, the calls go and the page asks to log in', async () => {
  const page = await openPage('/call-history#who=0142')
  await page.openHistory()
  await vi.waitFor(() => expect(page.$historyTotals.get()).toMatchObject({ of: 'filter' }), soon)
  inAnotherTab(null)
  expect(page.ids()).toBe('loading')
  expect(page.$historyTotals.get()).toEqual({ of: 'nothing' })
  await vi.waitFor(() => expect(browser.visited).toEqual(['/login?next=%2Fcall-history#who=0142']), soon)
})

test('another user who logs in sees their own calls, none of those that were still loading', async () => {
  const page = await openPage()
  await page.openHistory()
  let arrive = () => {}
  held = new Promise<void>(resolve => {
    arrive = resolve
  })
  const older = page.loadMore()
  inAnotherTab(other)
  expect(page.ids()).toBe('loading')
  await vi.waitFor(() => expect(page.ids()).toEqual(['x']), soon)
  arrive()
  await older
  expect(page.ids()).toEqual(['x'])
  expect(browser.visited).toEqual([])
})

test('a file that one user asked for never holds the calls of another', async () => {
  const page = await openPage()
  await page.openHistory()
  let arrive = () => {}
  held = new Promise<void>(resolve => {
    arrive = resolve
  })
  const file = page.loadCallsCsv(page.shownFilter())
  await vi.waitFor(() => expect(asked.at(-1)).toMatchObject({ cursor: 'b' }), soon)
  inAnotherTab(other)
  arrive()
  expect(await file).toMatchObject({ ok: false })
})

test('logging out here leaves the redirect to the logout, and no calls behind', async () => {
  const page = await openPage()
  await page.openHistory()
  await page.logout()
  expect(page.ids()).toBe('loading')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(browser.visited).toEqual([])
})
