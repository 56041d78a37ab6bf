import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { forgetPendingCall, keepPendingCall, pendingCall } from './pending-call.ts'
import { consumeReturnPath, rememberReturnPathFor } from './return-path.ts'
import { endSession, logout } from './session.ts'

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
  sessionStorage.setItem('callAfterCheckout', '{}')
  localStorage.setItem('giftDraft', '{}')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  void logout()
  expect(localStorage.getItem('pendingCall')).toBeNull()
  // Nor of what else names somebody.
  expect(localStorage.getItem('giftDraft')).toBeNull()
  expect(sessionStorage.getItem('callAfterCheckout')).toBeNull()
})

test('what other code has left under its name is no number', () => {
  localStorage.setItem('pendingCall', 'null')
  expect(pendingCall()).toBeNull()
  localStorage.setItem('pendingCall', '{')
  expect(pendingCall()).toBeNull()
  for (const part of [
    { country: 7 },
    { typed: null },
    { extension: undefined },
    { formatted: {} },
    { atMs: '1' },
  ]) {
    localStorage.setItem('pendingCall', JSON.stringify({ ...mum, atMs: Date.now(), ...part }))
    expect(pendingCall(), JSON.stringify(part)).toBeNull()
  }
})

test('a user’s number waits for that user alone when the session is over; a visitor’s for whoever signs in', () => {
  localStorage.setItem('token', tokenFor(900, 'anna'))
  keepPendingCall(mum)
  endSession()
  expect(pendingCall()).toBeNull()
  localStorage.setItem('token', tokenFor(900, 'ben'))
  expect(pendingCall()).toBeNull()
  localStorage.setItem('token', tokenFor(900, 'anna'))
  expect(pendingCall()).toMatchObject(mum)

  localStorage.removeItem('token')
  keepPendingCall(mum)
  localStorage.setItem('token', tokenFor(900, 'ben'))
  expect(pendingCall()).toMatchObject(mum)
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
