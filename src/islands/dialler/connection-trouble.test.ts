import { atom } from 'nanostores'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { type Call, noCall } from '#voice/call.ts'

const world = vi.hoisted(() => ({
  $call: undefined as unknown,
  outcome: 'refreshed',
  ended: 0,
  options: undefined as unknown,
  connects: 0,
  disconnects: 0,
  emitted: [] as unknown[],
  socket: undefined as unknown as {
    fire(event: string, value?: unknown): void
    reject(reason: string): void
  },
}))
vi.mock('./call/call.ts', () => ({ $call: world.$call }))
vi.mock('#session/session.ts', () => ({
  currentToken: () => 'a.b.c',
  refreshAfter: async () => world.outcome,
  endSession: () => {
    world.ended += 1
  },
}))
vi.mock('socket.io-client', () => ({
  io: (options: unknown) => {
    world.options = options
    return world.socket
  },
}))
const $call = atom<Call>(noCall)
world.$call = $call
const { openRealtime } = await import('#session/realtime.ts')
const { isInCall, warnOfTrouble } = await import('./connection-trouble.ts')
const { $notice, dismissNotice, notify } = await import('./notice.ts')
const { $toasts, dismissToast } = await import('#session/toasts.ts')

const live: Call = {
  state: 'preparing',
  attempt: 1,
  callee,
  callId: null,
  attemptId: null,
  rateMicroUsd: null,
}
const lost = new Error('websocket error')
let reconnections = 0
let heard: unknown[] = []
let close: () => void = () => undefined

/** The client's socket, whose events a test fires. */
function scriptedSocket() {
  const listeners = new Map<string, (value?: unknown) => void>()
  return {
    // The client retries by itself unless the server rejected it.
    active: true,
    connect: () => {
      world.connects += 1
    },
    disconnect: () => {
      world.disconnects += 1
    },
    emit: (...event: unknown[]) => world.emitted.push(event),
    on: (event: string, listener: (value?: unknown) => void) => listeners.set(event, listener),
    fire: (event: string, value?: unknown) => listeners.get(event)?.(value),
    reject(reason: string) {
      this.active = false
      listeners.get('connect_error')?.(new Error(reason))
    },
  }
}

vi.useFakeTimers()

beforeEach(async () => {
  close()
  world.outcome = 'refreshed'
  world.ended = 0
  world.connects = 0
  world.disconnects = 0
  world.emitted = []
  reconnections = 0
  heard = []
  $call.set(noCall)
  dismissNotice()
  for (const { id } of $toasts.get()) dismissToast(id)
  world.socket = scriptedSocket()
  close = openRealtime('u1', {
    balance: event => heard.push(['balance', event]),
    call: event => heard.push(['call', event]),
    callError: event => heard.push(['call_error', event]),
    reconnected: () => {
      reconnections += 1
    },
    isInCall,
    warnOfTrouble,
  })
  await vi.advanceTimersByTimeAsync(100)
})

const toasts = () => $toasts.get().map(({ message }) => message)
const issue = 'Connection issue - some features may not work'

describe('the real-time socket', () => {
  test('announces trouble once until the line is good again', () => {
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
    vi.advanceTimersByTime(5000)
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([])
    world.socket.fire('connect')
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
  })

  test('puts no toast over a call; reports after the call trouble that outlasts it', () => {
    $call.set(live)
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([])
    $call.set(noCall)
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
  })

  test('says nothing where a notice says already that the service cannot be reached', () => {
    notify({ tone: 'warn', text: 'Connection to the service lost.', about: 'connection' })
    world.socket.fire('connect_error', lost)
    dismissNotice()
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([])
  })

  test('is in trouble even beside a notice about something else', () => {
    notify({ tone: 'info', text: 'You hung up.' })
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
    expect($notice.get()?.text).toBe('You hung up.')
  })

  test('opens with credentials, websocket before polling, and the delays of SPEC-9.18', () => {
    expect(world.options).toMatchObject({
      withCredentials: true,
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      timeout: 20_000,
      reconnectionDelay: 1000,
      reconnectionDelayMax: 5000,
      randomizationFactor: 0.5,
      reconnectionAttempts: Number.POSITIVE_INFINITY,
    })
  })

  test('says who it is with the token of the moment', () => {
    const offers: unknown[] = []
    const { auth } = world.options as { auth: (provideAuth: (data: unknown) => void) => void }
    auth(data => offers.push(data))
    expect(offers).toEqual([{ token: 'a.b.c' }])
  })

  test('passes on what the server sends, and nothing outside the contract', () => {
    const call = { id: 'c1', state: 'answered', answeredAt: '2025-11-20T10:00:02.000Z', outcome: null }
    world.socket.fire('balance', { credits: '4' })
    world.socket.fire('call', { ...call, state: 'party' })
    world.socket.fire('call_error', {})
    expect(heard).toEqual([])
    world.socket.fire('balance', { credits: 4.5 })
    world.socket.fire('call', call)
    world.socket.fire('call_error', { message: 'Your credits ran out.', callId: 'c1' })
    expect(heard).toEqual([
      ['balance', { credits: 4.5 }],
      ['call', call],
      ['call_error', { message: 'Your credits ran out.', callId: 'c1' }],
    ])
  })

  test('registers the user at the first connection and at each one after it', () => {
    world.socket.fire('connect')
    world.socket.fire('connect')
    expect(world.emitted).toEqual([
      ['register', 'u1'],
      ['register', 'u1'],
    ])
  })

  test('reconnects by itself after the server hung up; the client itself restores a lost line', async () => {
    world.socket.fire('disconnect', 'transport close')
    await vi.advanceTimersByTimeAsync(5000)
    expect(world.connects).toBe(0)
    world.socket.fire('disconnect', 'io server disconnect')
    await vi.advanceTimersByTimeAsync(5000)
    expect(world.connects).toBe(1)
  })

  test('rejected for another reason than the token, is in trouble and tries again all the same', async () => {
    world.socket.reject('the database is away')
    expect(toasts()).toEqual([issue])
    await vi.advanceTimersByTimeAsync(1000)
    expect([world.connects, world.ended]).toEqual([1, 0])
  })

  test('left to the client where that tries again by itself', async () => {
    world.socket.fire('connect_error', lost)
    await vi.advanceTimersByTimeAsync(5000)
    expect(world.connects).toBe(0)
  })

  test('closed for good, does not connect again, also where it was just about to', async () => {
    world.socket.fire('disconnect', 'io server disconnect')
    close()
    world.socket.reject('unauthorized')
    await vi.advanceTimersByTimeAsync(10_000)
    expect([world.connects, world.disconnects]).toEqual([0, 1])
  })

  test('reports each connection but the first', () => {
    world.socket.fire('connect')
    expect(reconnections).toBe(0)
    world.socket.fire('connect')
    expect(reconnections).toBe(1)
  })

  test.each([
    ['refreshed', noCall, 0, 1, []],
    ['refused', noCall, 1, 0, [issue]],
    ['refused', live, 0, 0, []],
    ['unreachable', noCall, 0, 1, [issue]],
  ] as const)(
    'a refresh that is %s ends the session only between calls, and a token that may do is tried',
    async (outcome, call, times, connects, said) => {
      world.outcome = outcome
      $call.set(call)
      world.socket.reject('unauthorized')
      await vi.advanceTimersByTimeAsync(990)
      expect([world.ended, world.connects, toasts()]).toEqual([times, 0, said])
      await vi.advanceTimersByTimeAsync(100)
      expect(world.connects).toBe(connects)
    },
  )
})
