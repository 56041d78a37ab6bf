import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findCallObstacle } from './call-obstacle.ts'

/** A browser in which calls can be made. */
beforeEach(() => {
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('RTCPeerConnection', class {})
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: () => undefined } })
})
afterEach(() => vi.unstubAllGlobals())

test('a browser with WebRTC and a microphone on a secure page can call', () => {
  expect(findCallObstacle()).toBeNull()
})

test('a browser without WebRTC cannot', () => {
  vi.stubGlobal('RTCPeerConnection', undefined)
  expect(findCallObstacle()).toBe('browser_unsupported')
})

test.each([
  ['no media devices', {}],
  ['media devices that cannot be opened', { mediaDevices: {} }],
])('a browser with %s cannot', (_, navigator) => {
  vi.stubGlobal('navigator', navigator)
  expect(findCallObstacle()).toBe('browser_unsupported')
})

test('tells a page over plain http so, and does not blame its browser', () => {
  vi.stubGlobal('isSecureContext', false)
  vi.stubGlobal('navigator', {})
  expect(findCallObstacle()).toBe('page_insecure')
})
