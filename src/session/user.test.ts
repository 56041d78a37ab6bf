import { beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, serve, storageEvent, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
/** Whose profile was asked for, by the token. */
let asked: string[]

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  asked = []
  await serve((request, response) => {
    if (request.url !== '/api/protected/me')
      return answer(response, 401, { error: { code: 'x', message: '' } })
    const [, token = ''] = request.headers.authorization?.split(' ') ?? []
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    asked.push(sub)
    answer(response, 200, {
      ...exampleUser,
      id: sub,
      email: `${sub}@example.com`,
      credits: 0,
      has_used_free_call: sub === 'used',
    })
  })
})

/** As another tab does it: by what it stores. */
function signIn(user: string): void {
  localStorage.setItem('token', tokenFor(600, user))
  browser.window.dispatchEvent(storageEvent('token'))
}

test('a page that showed a visitor knows who signed in elsewhere, and whoever comes after', async () => {
  const { $user, loadUser } = await import('./user.ts')
  const { endSession } = await import('./session.ts')
  expect(await loadUser()).toBeNull()
  signIn('anna')
  await vi.waitFor(() => expect($user.get()?.id).toBe('anna'))
  endSession()
  expect($user.get()).toBeNull()
  signIn('bob')
  await vi.waitFor(() => expect($user.get()?.id).toBe('bob'))
  signIn('carol')
  expect($user.get()).toBeNull()
  await vi.waitFor(() => expect($user.get()?.id).toBe('carol'))
})

test('pages that load no user learn that the free call is used, as long as its user is signed in', async () => {
  const { $user, loadUser } = await import('./user.ts')
  const { endSession } = await import('./session.ts')
  const mark = () => localStorage.getItem('freeCallUsed')
  signIn('used')
  await loadUser()
  await vi.waitFor(() => expect($user.get()?.id).toBe('used'))
  expect(mark()).toBe('1')
  endSession()
  expect(mark()).toBeNull()
  signIn('used')
  await vi.waitFor(() => expect(mark()).toBe('1'))
  signIn('anna')
  await vi.waitFor(() => expect($user.get()?.id).toBe('anna'))
  expect(mark()).toBeNull()
})

test('a page that never asked who it is for does not ask then', async () => {
  await import('./user.ts')
  const { start } = await import('./session.ts')
  await start()
  signIn('anna')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(asked).toEqual([])
})
