import { beforeEach, expect, test } from 'vitest'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import { consumeCalleeAfterCheckout, keepCalleeForCheckout } from './call-after-checkout.ts'

const callee = { e164: '+919876543210', isoCode: 'IN', extension: ',,12#' }
const hourMs = 3_600_000

beforeEach(() => {
  freshBrowser()
})

test('the callee comes back once', () => {
  keepCalleeForCheckout(callee, 0)
  expect(consumeCalleeAfterCheckout(hourMs)).toEqual(callee)
  expect(consumeCalleeAfterCheckout(hourMs)).toBeNull()
})

test('not after the checkout has expired', () => {
  keepCalleeForCheckout(callee, 0)
  expect(consumeCalleeAfterCheckout(2 * hourMs + 1)).toBeNull()
})

test('what other code wrote there is ignored', () => {
  sessionStorage.setItem('callAfterCheckout', '{"e164":5}')
  expect(consumeCalleeAfterCheckout(0)).toBeNull()
})

test('another user does not get it; its own does after logging in again', () => {
  localStorage.setItem('token', tokenFor(900, 'anna'))
  keepCalleeForCheckout(callee, 0)
  localStorage.removeItem('token')
  expect(consumeCalleeAfterCheckout(0)).toBeNull()
  localStorage.setItem('token', tokenFor(900, 'anna'))
  expect(consumeCalleeAfterCheckout(0)).toEqual(callee)

  keepCalleeForCheckout(callee, 0)
  localStorage.setItem('token', tokenFor(900, 'ben'))
  expect(consumeCalleeAfterCheckout(0)).toBeNull()
  localStorage.setItem('token', tokenFor(900, 'anna'))
  expect(consumeCalleeAfterCheckout(0)).toBeNull()
})
