import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'
import type { VoiceEvent } from '#voice/port.ts'

/** The line of the page over the page's own session; only the voice service and the server are scripted. */

const voice = vi.hoisted(() => ({ log: [] as string[], emit: undefined as unknown }))
vi.mock('#voice/twilio.ts', () => ({
  loadVoice: async () => (_: unknown, emit: (event: VoiceEvent) => void) => {
    voice.emit = emit
    return {
      connect: () => voice.log.push('connect'),
      hangUp: () => voice.log.push('hang up'),
      mute: () => undefined,
      sendDigits: () => undefined,
      sendText: () => undefined,
      updateToken: (token: string) => voice.log.push(`token ${token}`),
      destroy: () => voice.log.push('destroy'),
    }
  },
}))

const say = (event: VoiceEvent) => (voice.emit as (event: VoiceEvent) => void)(event)
/** The server's answer to a request for a voice token; undefined: it rejects all requests. */
let voiceTokens: string[]

beforeEach(() => {
  vi.resetModules()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  freshBrowser()
  voice.log = []
  voiceTokens = ['v1', 'v2']
  const track = { stop: () => voice.log.push('microphone off') }
  const getUserMedia = async () => ({ getTracks: () => [track] })
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.stubGlobal('fetch', async (path: string) => {
    const token = path === '/api/token' ? voiceTokens.shift() : undefined
    const route = { kind: 'exchange', path: '/exchange' }
    if (token !== undefined) return Response.json({ token, ttlSeconds: 60, route })
    const status = path === '/api/token' || path === '/api/auth/refresh-token' ? 401 : 404
    return Response.json({ error: { code: 'unauthorized', message: 'Please log in.' } }, { status })
  })
  localStorage.setItem('token', tokenFor(900))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function openPage() {
  const [{ callLine, $call }, { $session, endSession }] = await Promise.all([
    import('./call.ts'),
    import('#session/session.ts'),
  ])
  return { callLine, $call, $session, endSession }
}

test('a session that dies in a call ends neither the call nor itself; one that is dead before it does', async () => {
  const { callLine, $call, $session } = await openPage()
  await callLine.place({ callee, rate: Promise.resolve(20_000) })
  say({ kind: 'answered', callId: 'c1' })
  say({ kind: 'token_expiring' })
  await expect.poll(() => voice.log).toEqual(['connect', 'token v2'])
  say({ kind: 'token_expiring' })
  await new Promise(resolve => setTimeout(resolve, 50))
  expect($call.get().state).toBe('open')
  expect($session.get().status).toBe('signed_in')
  say({ kind: 'ended', endReason: { kind: 'callee_hung_up' } })

  await callLine.place({ callee, rate: Promise.resolve(20_000) })
  expect($call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'authentication_failed' } })
  expect($session.get().status).toBe('signed_out')
  expect(voice.log).toEqual(['connect', 'token v2', 'destroy'])
})

test('a call continues when its caller is logged out, as in another tab', async () => {
  const { callLine, $call, $session, endSession } = await openPage()
  await callLine.place({ callee, rate: Promise.resolve(20_000) })
  say({ kind: 'answered', callId: 'c1' })
  endSession()
  say({ kind: 'token_expiring' })
  await new Promise(resolve => setTimeout(resolve, 50))
  expect($session.get().status).toBe('signed_out')
  expect($call.get().state).toBe('open')
  callLine.hangUp()
  expect(voice.log).toEqual(['connect', 'hang up'])
})
