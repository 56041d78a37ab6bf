import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser } from '#support/fake-browser.ts'
import { forgetPendingCall, keepPendingCall, pendingCall } from './pending-call.ts'
import { consumeReturnPath, rememberReturnPathFor } from './return-path.ts'
import { logout } from './session.ts'

const mum = { country: 'in', typed: '+919876543210', extension: ',,12', formatted: '+91 98765 43210' }
const login = 'https://farline.example/login'

beforeEach(() => {
  vi.useFakeTimers()
  freshBrowser()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('keeps the number, its country and its extension for a day', () => {
  expect(pendingCall()).toBeNull()
  keepPendingCall(mum)
  expect(pendingCall()).toMatchObject(mum)
  vi.advanceTimersByTime(24 * 3600 * 1000 - 1)
  expect(pendingCall()).toMatchObject(mum)
  vi.advanceTimersByTime(1)
  expect(pendingCall()).toBeNull()
})

test('nothing of it is left once it is forgotten, or after a logout', () => {
  keepPendingCall(mum)
  forgetPendingCall()
  expect(pendingCall()).toBeNull()
  keepPendingCall(mum)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  void logout()
  expect(localStorage.getItem('pendingCall')).toBeNull()
})

test('what other code has left under its name is no number', () => {
  localStorage.setItem('pendingCall', 'null')
  expect(pendingCall()).toBeNull()
  localStorage.setItem('pendingCall', '{')
  expect(pendingCall()).toBeNull()
})

test('leads to the dialler, before a page that was wanted earlier and after one that was wanted later', () => {
  rememberReturnPathFor('/referrals')
  vi.advanceTimersByTime(1000)
  keepPendingCall(mum)
  expect(consumeReturnPath(login, '/call')).toBe('/call')
  vi.advanceTimersByTime(1000)
  rememberReturnPathFor('/referrals')
  expect(consumeReturnPath(login, '/call')).toBe('/referrals')
  expect(consumeReturnPath(`${login}?next=/profile`, '/call')).toBe('/profile')
})
