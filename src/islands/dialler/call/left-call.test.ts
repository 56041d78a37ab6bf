import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleCallee, exampleRecord as record } from '#support/example-call.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const callee = { ...exampleCallee, extension: ',,1' }
const receipt = {
  call: record,
  email: 'anna@example.com',
  charges: [],
  gift: null,
  freeCallLeft: false,
  credit: null,
  claim: null,
}
const said = 'You hung up. Talked 0:12, charged $0.02.'
const minuteMs = 60_000

let asked: string[]

beforeEach(() => {
  vi.useFakeTimers()
  freshBrowser()
  localStorage.setItem('token', tokenFor(3600, 'anna'))
  asked = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    if (path === '/api/calls/c1') return Response.json(record)
    if (path === '/api/calls/c1/receipt') return Response.json(receipt)
    if (path.startsWith('/api/calls')) return Response.json({ calls: [record], nextCursor: null })
    return Response.json({}, { status: 404 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.unstubAllGlobals()
})

/** A page that has just loaded, in the same tab; its line hangs up first when it is left, as the dialler has it do. */
async function openPage() {
  vi.resetModules()
  const window = Object.assign(new EventTarget(), { location: { href: 'http://localhost/call' } })
  vi.stubGlobal('window', window)
  const $call = atom<Call>(noCall)
  vi.doMock('#islands/dialler/call/call.ts', () => ({ $call }))
  const happen = (event: CallEvent) => $call.set(step($call.get(), event))
  window.addEventListener('pagehide', () =>
    happen({ kind: 'ended', attempt: 1, endReason: { kind: 'caller_hung_up' }, atMs: performance.now() }),
  )
  const [{ followLeftCall }, { $notice }, { $callEnded }, { start }] = await Promise.all([
    import('./left-call.ts'),
    import('../notice.ts'),
    import('../call-ended/call-ended.ts'),
    import('#session/session.ts'),
  ])
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  void start()
  void followLeftCall()
  await vi.advanceTimersByTimeAsync(100)
  return {
    happen,
    leave: () => window.dispatchEvent(new Event('pagehide')),
    comeBack: () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
    said: () => $notice.get()?.text ?? null,
    receipt: () => $callEnded.get(),
    end: () =>
      happen({ kind: 'ended', attempt: 1, endReason: { kind: 'callee_hung_up' }, atMs: performance.now() }),
    dial: () => happen({ kind: 'dialled', attempt: 1, callee }),
    holdCall(callId: string | null = 'c1') {
      happen({ kind: 'dialled', attempt: 1, callee })
      if (callId !== null) happen({ kind: 'identified', attempt: 1, callId })
      happen({ kind: 'answered', attempt: 1, atMs: performance.now() })
    },
  }
}

test('reports a call that a reload ended on the page that loads, with its receipt, once', async () => {
  const left = await openPage()
  left.holdCall()
  await vi.advanceTimersByTimeAsync(11_400)
  left.leave()
  const next = await openPage()
  await vi.waitFor(() => expect(next.said()).toBe(said))
  await vi.waitFor(() =>
    expect(next.receipt()).toMatchObject({ receipt: { call: { id: 'c1' } }, callee, superseded: false }),
  )
  const last = await openPage()
  expect([last.said(), last.receipt()]).toEqual([null, null])
})

test('one that the page knew by no name is found by its number', async () => {
  const left = await openPage()
  left.holdCall(null)
  left.leave()
  const next = await openPage()
  await vi.waitFor(() => expect(next.said()).toBe(said))
})

test('until the record is there the page says how long was talked', async () => {
  const left = await openPage()
  left.holdCall()
  await vi.advanceTimersByTimeAsync(11_400)
  left.leave()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  const next = await openPage()
  await vi.advanceTimersByTimeAsync(2000)
  expect(next.said()).toBe('You hung up. Talked 0:12.')
})

test('reports nothing for an unanswered call, or for none at all', async () => {
  ;(await openPage()).leave()
  expect((await openPage()).said()).toBeNull()
  const left = await openPage()
  left.dial()
  left.leave()
  expect((await openPage()).said()).toBeNull()
  expect(asked).toEqual([])
})

test('does not report again a call that was over before the page was left', async () => {
  const left = await openPage()
  left.holdCall()
  left.end()
  await vi.advanceTimersByTimeAsync(0)
  left.leave()
  expect((await openPage()).said()).toBeNull()
})

test('reports it to no other user, and not much later', async () => {
  const left = await openPage()
  left.holdCall()
  left.leave()
  localStorage.setItem('token', tokenFor(3600, 'bela'))
  expect((await openPage()).said()).toBeNull()

  localStorage.setItem('token', tokenFor(3600, 'anna'))
  const again = await openPage()
  again.holdCall()
  again.leave()
  await vi.advanceTimersByTimeAsync(5 * minuteMs + 1)
  expect((await openPage()).said()).toBeNull()
  expect(asked).toEqual([])
})

test('a page restored from the browser’s memory reports its own call itself', async () => {
  const left = await openPage()
  left.holdCall()
  left.leave()
  left.comeBack()
  expect((await openPage()).said()).toBeNull()
})
