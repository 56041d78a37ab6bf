import { atom } from 'nanostores'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RealtimeHandlers } from '#session/realtime.ts'
import { exampleCallee as callee } from '#support/example-call.ts'
import { exampleUser } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const user = { ...exampleUser, credits: 1 }
const dialled: CallEvent = { kind: 'dialled', attempt: 1, callee }

/** The dialler of a signed-in user, opened; its line and its socket record what they receive. */
async function openPage({ me = user, address = '/call' }: { me?: object; address?: string } = {}) {
  vi.resetModules()
  const { window } = freshBrowser()
  const location = { href: `http://localhost${address}` }
  Object.assign(window, { location, history: { state: null, replaceState: () => undefined } })
  vi.stubGlobal('document', { documentElement: { dataset: {} }, addEventListener: () => undefined })
  localStorage.setItem('token', tokenFor(900))
  localStorage.setItem('wizardPreferences', JSON.stringify({ hasSeenWizard: true }))
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return path === '/api/protected/me' ? Response.json(me) : Response.json({}, { status: 404 })
  })
  const $call = atom<Call>(noCall)
  const line: unknown[] = []
  const callLine = {
    hangUp: () => line.push('hung up'),
    reject: (...rejections: unknown[]) => line.push(rejections),
    identify: (id: string) => line.push({ id }),
    prepare: () => undefined,
    discardPrepared: () => undefined,
  }
  vi.doMock('#islands/dialler/call/call.ts', () => ({
    $call,
    $digits: atom(null),
    $sample: atom(null),
    callLine,
  }))
  let handlers: RealtimeHandlers | undefined
  const users: (string | null)[] = []
  const openRealtime = (id: string, given: RealtimeHandlers) => {
    users.push(id)
    handlers = given
    return () => users.push(null)
  }
  vi.doMock('#session/realtime.ts', () => ({ openRealtime }))
  const [dialler, notice, balance, session, dial, rate, caution, toasts] = await Promise.all([
    import('./dialler.ts'),
    import('./notice.ts'),
    import('./call/balance.ts'),
    import('#session/session.ts'),
    import('./number/dial.ts'),
    import('./number/rate.ts'),
    import('./number/caution.ts'),
    import('#session/toasts.ts'),
  ])
  dialler.openDialler()
  await vi.waitFor(() => expect(handlers).toBeDefined(), { timeout: 10_000 })
  if (handlers === undefined) return expect.unreachable()
  const happen = (...events: readonly CallEvent[]) => $call.set(events.reduce(step, $call.get()))
  return {
    ...dialler,
    ...dial,
    ...rate,
    ...caution,
    ...toasts,
    ...notice,
    ...balance,
    ...session,
    socket: handlers,
    happen,
    line,
    asked,
    users,
    window,
  }
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

describe('the dialler', () => {
  test('listens for its user once, and no longer than that user is here', async () => {
    const page = await openPage()
    page.openDialler()
    expect(page.users).toEqual(['u1'])
    page.endSession()
    expect(page.users).toEqual(['u1', null])
  })

  test('shows the balance that is pushed', async () => {
    const page = await openPage()
    page.socket.balance({ credits: 7.5 })
    expect(page.$balance.get().microUsd).toBe(7_500_000)
  })

  test('says why an auto top-up failed, and asks for the current state of auto top-up', async () => {
    const page = await openPage({ me: { ...user, auto_topup_enabled: true } })
    page.asked.length = 0
    page.socket.balance({ credits: 1.98 })
    expect([page.$notice.get(), page.asked]).toEqual([null, []])
    const notice = "Your card was declined, so your credits weren't topped up."
    page.socket.balance({ credits: 1.96, notice })
    expect(page.$notice.get()).toEqual({ tone: 'warn', text: notice, about: 'top_up' })
    expect(page.$balance.get().microUsd).toBe(1_960_000)
    await vi.waitFor(() => expect(page.asked).toEqual(['/api/protected/me']))
  })

  test('reads the user again after a rejected call, an answered free call, or missed events', async () => {
    const page = await openPage({ me: { ...user, has_used_free_call: false } })
    const before = page.asked.length
    page.socket.call({ id: 'c1', state: 'ringing', answeredAt: null, outcome: null })
    expect(page.asked.length).toBe(before)
    for (const change of [
      () =>
        page.socket.call({ id: 'c1', state: 'answered', answeredAt: '2025-11-20T12:00:00Z', outcome: null }),
      () => page.socket.callError({ message: 'No.' }),
      () => page.socket.reconnected(),
    ]) {
      page.asked.length = 0
      change()
      await vi.waitFor(() => expect(page.asked).toEqual(['/api/protected/me']))
      await new Promise(resolve => setTimeout(resolve, 0))
    }
  })

  test('says so when the balance cannot be fetched, until it can', async () => {
    const page = await openPage()
    const answered = globalThis.fetch
    vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }))
    await page.refreshBalance()
    expect(page.$balance.get()).toEqual({ microUsd: 1_000_000, stale: true })
    vi.stubGlobal('fetch', answered)
    await page.refreshBalance()
    expect(page.$balance.get()).toEqual({ microUsd: 1_000_000, stale: false })
  })

  test('starts with what its address says: a country, a payment to be asked for', async () => {
    const order = '2f1b0d3c-9a51-4c58-8f0e-3d9b8d6f7a11'
    const page = await openPage({ address: `/call?country=in&payment=success&order=${order}` })
    expect(page.$dial.get()).toMatchObject({ typed: '', country: { isoCode: 'IN' } })
    await vi.waitFor(() => expect(page.asked).toContain(`/api/payments/${order}`))
    const plain = await openPage()
    expect(plain.$dial.get()).toMatchObject({ typed: '', country: { name: 'United States', dialCode: '+1' } })
    expect(plain.asked.filter(path => path.startsWith('/api/payments/'))).toEqual([])
  })

  test('looks after the number in its field: what it costs, and whether to be careful', async () => {
    const page = await openPage()
    page.setNumber('8765550133')
    await vi.waitFor(() => expect(page.$rate.get().kind).toBe('unsupported'))
    await vi.waitFor(() => expect(page.$caution.get()?.text).toMatch(/^Caution: /), { timeout: 5000 })
  })

  test('hangs up when the page is left', async () => {
    const page = await openPage()
    page.window.dispatchEvent(new Event('pagehide'))
    expect(page.line).toEqual(['hung up'])
  })
})

describe('a call_error', () => {
  const connecting: CallEvent = { kind: 'connecting', attempt: 1, attemptId: 'a1' }
  const identified: CallEvent = { kind: 'identified', attempt: 1, callId: 'c1' }
  const ended: CallEvent = { kind: 'ended', attempt: 1, endReason: { kind: 'busy' }, atMs: 1 }
  const message = 'Too little.'

  test.each([
    ['its attempt', [dialled, connecting], { attempt: 'a1' }],
    ['its attempt, whatever the server calls it', [dialled, connecting], { callId: 'c1', attempt: 'a1' }],
    ['its id', [dialled, identified], { callId: 'c1' }],
    ['nothing, as of whatever is going on', [dialled], {}],
  ])('ends the call that it names by %s', async (_, before, names) => {
    const page = await openPage()
    page.happen(...before)
    page.socket.callError({ message, ...names })
    expect(page.line).toEqual([[message, undefined]])
    expect(page.$notice.get()).toBeNull()
  })

  test('a reply that a promised free call is not free ends that promise, even when late; another page’s does not', async () => {
    for (const late of [false, true]) {
      const page = await openPage({ me: { ...user, has_used_free_call: false } })
      const { $freeCall } = await import('./call/free-call.ts')
      page.happen(dialled, connecting, ...(late ? [ended] : []))
      page.socket.callError({ message, attempt: 'a2', code: 'not_free' })
      expect($freeCall.get()).toBe(true)
      page.socket.callError({ message, attempt: 'a1', code: 'not_free' })
      expect($freeCall.get()).toBe(false)
      expect(page.line).toEqual(late ? [] : [[message, 'not_free']])
    }
  })

  test.each([
    ['another attempt', [dialled, connecting], { attempt: 'a2' }],
    ['another attempt, of a call that has no name yet', [dialled], { attempt: 'a2' }],
    ['another call', [dialled, connecting, identified], { callId: 'c2', attempt: 'a2' }],
    [
      'another call, where this one has no id',
      [dialled, connecting, { kind: 'ringing', attempt: 1 }],
      { callId: 'c2' },
    ],
  ] as const)('about %s leaves the call of this page alone', async (_, before, names) => {
    const page = await openPage()
    page.happen(...before)
    page.socket.callError({ message, ...names })
    expect(page.line).toEqual([])
    expect(page.$notice.get()).toBeNull()
  })

  test('is shown between calls if it rejects this page’s last attempt, but not another’s', async () => {
    const page = await openPage()
    page.socket.callError({ message: 'Not yours.', attempt: 'a1' })
    expect(page.$notice.get()).toBeNull()
    page.happen(dialled, connecting, ended)
    page.socket.callError({ message: 'Not yours.', attempt: 'a2' })
    page.socket.callError({ message: 'Its record tells more.', callId: 'c1', attempt: 'a1' })
    expect(page.$notice.get()).toMatchObject({ text: 'The line is busy. Nothing was charged.' })
    page.socket.callError({ message, attempt: 'a1' })
    expect(page.$notice.get()).toEqual({ tone: 'bad', text: message })
    expect(page.line).toEqual([])
  })

  test('between calls is shown, unless it is about the call of another page', async () => {
    const page = await openPage()
    page.socket.callError({ message: 'Not yours.', callId: 'c1' })
    expect(page.$notice.get()).toBeNull()
    page.socket.callError({ message })
    expect(page.$notice.get()).toEqual({ tone: 'bad', text: message })
    expect(page.line).toEqual([])
  })

  test('is not needed to know one’s own call: its events name its attempt', async () => {
    const page = await openPage()
    page.happen(dialled, connecting)
    const change = { id: 'c1', state: 'ringing', answeredAt: null, outcome: null } as const
    page.socket.call(change)
    page.socket.call({ ...change, id: 'c2', attempt: 'a2' })
    expect(page.line).toEqual([])
    page.socket.call({ ...change, attempt: 'a1' })
    expect(page.line).toEqual([{ id: 'c1' }])
  })
})

describe('a charged call that the balance no longer covers', () => {
  async function callOverdrawn(page: Awaited<ReturnType<typeof openPage>>) {
    vi.useFakeTimers()
    page.socket.balance({ credits: 0.01 })
    await vi.advanceTimersByTimeAsync(5000)
    page.happen(
      dialled,
      { kind: 'priced', attempt: 1, rateMicroUsd: 20_000 },
      { kind: 'answered', attempt: 1, atMs: performance.now() },
    )
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    return page.line
  }

  test('is hung up', async () => {
    expect((await callOverdrawn(await openPage())).at(0)).toBe('hung up')
  })

  test('continues if auto top-up is on: the server ends it when that fails', async () => {
    const page = await openPage({ me: { ...user, auto_topup_enabled: true } })
    expect(await callOverdrawn(page)).toEqual([])
  })

  test('is hung up if auto top-up was paused, as its notice said', async () => {
    const me = { ...user, auto_topup_enabled: true }
    const page = await openPage({ me })
    me.auto_topup_enabled = false
    page.asked.length = 0
    page.socket.balance({ credits: 0.01, notice: 'Auto top-up is paused.' })
    await vi.waitFor(() => expect(page.asked).toEqual(['/api/protected/me']))
    await new Promise(resolve => setTimeout(resolve, 0))
    expect((await callOverdrawn(page)).at(0)).toBe('hung up')
  })
})
