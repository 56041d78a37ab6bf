import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { blockStorage, freshBrowser } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>

async function openToasts() {
  vi.resetModules()
  return import('./toasts.ts')
}

beforeEach(() => {
  browser = freshBrowser()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const saved = { type: 'success', message: 'Contact saved!' } as const

test('a toast disappears after 4 seconds, a sticky one stays until dismissed', async () => {
  const { $toasts, showToast, dismissToast } = await openToasts()
  showToast(saved)
  const sticky = showToast({ type: 'error', message: 'Stay', sticky: true })
  vi.advanceTimersByTime(3999)
  expect($toasts.get()).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect($toasts.get().map(toast => toast.id)).toEqual([sticky])
  vi.advanceTimersByTime(60_000)
  expect($toasts.get()).toHaveLength(1)
  dismissToast(sticky)
  expect($toasts.get()).toEqual([])
})

test('held, the clocks stop; released, they go on with what was left', async () => {
  const { $toasts, showToast, holdToasts, releaseToasts } = await openToasts()
  showToast(saved)
  vi.advanceTimersByTime(3000)
  holdToasts()
  holdToasts()
  vi.advanceTimersByTime(60_000)
  expect($toasts.get()).toHaveLength(1)
  releaseToasts()
  vi.advanceTimersByTime(999)
  expect($toasts.get()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect($toasts.get()).toEqual([])
})

test('a toast that comes while they are held gets its whole time afterwards', async () => {
  const { $toasts, showToast, holdToasts, releaseToasts } = await openToasts()
  holdToasts()
  showToast(saved)
  vi.advanceTimersByTime(10_000)
  releaseToasts()
  vi.advanceTimersByTime(3999)
  expect($toasts.get()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect($toasts.get()).toEqual([])
})

test('the same message again replaces the one on screen and restarts its time', async () => {
  const { $toasts, showToast } = await openToasts()
  const first = showToast(saved)
  vi.advanceTimersByTime(3000)
  const second = showToast(saved)
  expect($toasts.get()).toEqual([{ ...saved, id: second }])
  expect(second).not.toBe(first)
  vi.advanceTimersByTime(3999)
  expect($toasts.get()).toHaveLength(1)
})

test('a toast raised with a redirect shows on the next page, once', async () => {
  const { redirectWithToast } = await openToasts()
  redirectWithToast('/register', { type: 'info', message: 'Sign up to start calling' })
  expect(browser.visited).toEqual(['/register'])

  const next = await openToasts()
  next.showCarriedToast()
  expect(next.$toasts.get()).toMatchObject([{ type: 'info', message: 'Sign up to start calling' }])

  const afterNext = await openToasts()
  afterNext.showCarriedToast()
  expect(afterNext.$toasts.get()).toEqual([])
})

test.each(['{', '{"type":"party","message":"x"}', 'null'])('a carried %j shows nothing', async carried => {
  sessionStorage.setItem('toast', carried)
  const { $toasts, showCarriedToast } = await openToasts()
  showCarriedToast()
  expect($toasts.get()).toEqual([])
})

test('with storage blocked the redirect happens all the same', async () => {
  blockStorage()
  const { redirectWithToast } = await openToasts()
  redirectWithToast('/register', saved)
  expect(browser.visited).toEqual(['/register'])
})
