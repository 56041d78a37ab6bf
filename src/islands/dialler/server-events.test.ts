import { expect, onTestFinished, test, vi } from 'vitest'
import type { RealtimeHandlers } from '#session/realtime.ts'
import { exampleUser } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'

test('with more credits after a reconnect, the reason for a rejection is gone; with as many it stays', async () => {
  vi.resetModules()
  freshBrowser()
  localStorage.setItem('token', tokenFor(900))
  let credits = 1
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(
      path === '/api/protected/me'
        ? Response.json({ ...exampleUser, credits })
        : Response.json({}, { status: 404 }),
    ),
  )
  let handlers: RealtimeHandlers | undefined
  vi.doMock('#session/realtime.ts', () => ({
    openRealtime: (_: string, given: RealtimeHandlers) => {
      handlers = given
      return () => undefined
    },
  }))
  onTestFinished(() => {
    vi.doUnmock('#session/realtime.ts')
    vi.unstubAllGlobals()
  })
  const [{ subscribeToServerEvents }, { followBalance, $balance }, { loadUser }, { $notice, notify }] =
    await Promise.all([
      import('./server-events.ts'),
      import('./call/balance.ts'),
      import('#session/user.ts'),
      import('./notice.ts'),
    ])
  followBalance()
  subscribeToServerEvents()
  await loadUser()
  expect($balance.get().microUsd).toBe(1_000_000)
  const rejection = { tone: 'bad', text: 'Not enough credits.', remedy: 'credits' } as const
  notify(rejection)
  handlers?.reconnected()
  await vi.waitFor(() => expect($balance.get().stale).toBe(false))
  await new Promise(resolve => setTimeout(resolve, 20))
  expect($notice.get()).toEqual(rejection)
  credits = 6
  handlers?.reconnected()
  await vi.waitFor(() => expect($balance.get().microUsd).toBe(6_000_000))
  await vi.waitFor(() => expect($notice.get()).toBeNull())
})
