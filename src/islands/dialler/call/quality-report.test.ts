import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'
import type { LineSample } from '#voice/quality.ts'

/** A second in which nothing came. */
const silence: LineSample = {
  mos: null,
  lossPercent: 100,
  sentLossPercent: null,
  jitterMs: 0,
  roundTripMs: null,
  packetsReceived: 0,
  spokenLevel: 0.01,
  heardLevel: 0,
  warnings: [],
}
const minuteMs = 60_000

/** Paths asked for and bodies sent, in turn. */
let sent: { readonly path: string; readonly body: { readonly seconds: number } }[]
/** The status of each answer in turn, the last one again and again; 0: none comes. */
let statuses: number[]
/** Of the page that was opened last. */
let window: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  freshBrowser()
  localStorage.setItem('token', tokenFor(3600, 'anna'))
  sent = []
  statuses = [204]
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (path === '/api/auth/refresh-token') return new Response(null, { status: 503 })
    sent.push({ path, body: JSON.parse(String(init.body)) })
    const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 0
    if (status === 0) throw new TypeError('failed to fetch')
    return new Response(status === 204 ? null : '{}', { status })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.unstubAllGlobals()
})

/** A page that has just loaded, in the same browser. */
async function openPage() {
  vi.resetModules()
  window = Object.assign(new EventTarget(), { location: { href: 'http://localhost/call' } })
  vi.stubGlobal('window', window)
  const $call = atom<Call>(noCall)
  const $sample = atom<LineSample | null>(null)
  vi.doMock('#islands/dialler/call/call.ts', () => ({ $call, $sample }))
  const [{ followMeasures }, session] = await Promise.all([
    import('./quality-report.ts'),
    import('#session/session.ts'),
  ])
  followMeasures()
  await session.start()
  await vi.advanceTimersByTimeAsync(0)
  const happen = (event: CallEvent) => $call.set(step($call.get(), event))
  return {
    ...session,
    /** A call of two silent seconds that ends. */
    async holdCall(callId = 'c1') {
      happen({ kind: 'dialled', attempt: 1, callee })
      happen({ kind: 'identified', attempt: 1, callId })
      happen({ kind: 'answered', attempt: 1, atMs: 0 })
      for (const lossPercent of [99, 100]) $sample.set({ ...silence, lossPercent })
      happen({ kind: 'ended', attempt: 1, endReason: { kind: 'media_failed' }, atMs: 2000 })
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}
const online = async () => {
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
}

test('a report that arrives is sent once, and nothing stays in the browser', async () => {
  const page = await openPage()
  await page.holdCall()
  expect(sent).toMatchObject([{ path: '/api/calls/c1/quality', body: { seconds: 2, heardSeconds: 0 } }])
  await vi.advanceTimersByTimeAsync(minuteMs)
  await online()
  await openPage()
  expect(sent).toHaveLength(1)
})

test.each([0, 503, 429])(
  'one that met %i twice is sent when the network is back, until it has arrived',
  async status => {
    statuses = [status]
    const page = await openPage()
    await page.holdCall()
    await vi.advanceTimersByTimeAsync(5 * minuteMs)
    expect(sent).toHaveLength(2)
    await online()
    expect(sent).toHaveLength(3)
    statuses = [204]
    await online()
    await online()
    expect(sent).toHaveLength(4)
    expect(sent[3]).toEqual(sent[0])
  },
)

test('one that arrived when the network came back is not tried a second time', async () => {
  statuses = [0, 204]
  const page = await openPage()
  await page.holdCall()
  await online()
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(sent).toHaveLength(2)
})

test('the next page sends what the one before could not', async () => {
  statuses = [0]
  await (await openPage()).holdCall()
  statuses = [204]
  await openPage()
  expect(sent.map(({ path }) => path)).toEqual(['/api/calls/c1/quality', '/api/calls/c1/quality'])
  await openPage()
  expect(sent).toHaveLength(2)
})

test('a rejection is final', async () => {
  statuses = [404]
  await (await openPage()).holdCall()
  await vi.advanceTimersByTimeAsync(minuteMs)
  await openPage()
  expect(sent).toHaveLength(1)
})

test('after ten minutes it is forgotten: the server would keep it no more', async () => {
  statuses = [0]
  await (await openPage()).holdCall()
  await vi.advanceTimersByTimeAsync(10 * minuteMs + 1)
  await openPage()
  await online()
  expect(sent).toHaveLength(2)
  expect(localStorage.getItem('unsentReport')).toBeNull()
})

test('another user’s page does not send it; its own user’s still does', async () => {
  statuses = [0]
  await (await openPage()).holdCall()
  await vi.advanceTimersByTimeAsync(minuteMs)
  localStorage.setItem('token', tokenFor(3600, 'bela'))
  await openPage()
  await online()
  expect(sent).toHaveLength(2)
  localStorage.setItem('token', tokenFor(3600, 'anna'))
  await openPage()
  expect(sent).toHaveLength(3)
})

test('ignores anything else stored under its key', async () => {
  for (const text of ['', '{', '{"userId":"anna"}']) {
    localStorage.setItem('unsentReport', text)
    await openPage()
  }
  expect(sent).toEqual([])
})
