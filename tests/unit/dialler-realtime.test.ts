import { atom } from 'nanostores'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Call, noCall } from '#lib/rules/call.ts'

const world = vi.hoisted(() => ({
  $call: undefined as unknown,
  outcome: 'refreshed',
  ended: 0,
  options: undefined as unknown,
  connects: 0,
  emitted: [] as unknown[],
  socket: undefined as unknown as { fire(event: string, value?: unknown): void },
}))
vi.mock('#stores/call.ts', () => ({ $call: world.$call }))
vi.mock('#stores/session.ts', () => ({
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
const { openRealtime } = await import('#stores/realtime.ts')
const { $notice, dismissNotice, notify } = await import('#stores/notice.ts')
const { $toasts, dismissToast } = await import('#stores/toasts.ts')

const callee = {
  e164: '+12125550100',
  formatted: '+1 212 555 0100',
  country: { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' },
}
const live: Call = { state: 'preparing', attempt: 1, callee, callId: null, rateMicroUsd: null }
const lost = new Error('websocket error')
const unauthorized = new Error('unauthorized')
let reconnections = 0

/** The client's socket, whose events a test fires. */
function scriptedSocket() {
  const listeners = new Map<string, (value?: unknown) => void>()
  return {
    active: false,
    connect: () => {
      world.connects += 1
    },
    disconnect: () => undefined,
    emit: (...event: unknown[]) => world.emitted.push(event),
    on: (event: string, listener: (value?: unknown) => void) => listeners.set(event, listener),
    fire: (event: string, value?: unknown) => listeners.get(event)?.(value),
  }
}

vi.useFakeTimers()

beforeEach(async () => {
  world.outcome = 'refreshed'
  world.ended = 0
  world.connects = 0
  world.emitted = []
  reconnections = 0
  $call.set(noCall)
  dismissNotice()
  for (const { id } of $toasts.get()) dismissToast(id)
  world.socket = scriptedSocket()
  openRealtime('u1', {
    balance: () => undefined,
    call: () => undefined,
    callError: () => undefined,
    reconnected: () => {
      reconnections += 1
    },
  })
  await vi.advanceTimersByTimeAsync(100)
})

const toasts = () => $toasts.get().map(({ message }) => message)
const issue = 'Connection issue - some features may not work'

describe('the real-time socket', () => {
  test('in trouble says so, once until it is good again', () => {
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
    vi.advanceTimersByTime(5000)
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([])
    world.socket.fire('connect')
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
  })

  test('puts no toast over a call; trouble that outlasts the call is told after it', () => {
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

  test('is in trouble beside a notice about something else as well', () => {
    notify({ tone: 'info', text: 'You hung up.' })
    world.socket.fire('connect_error', lost)
    expect(toasts()).toEqual([issue])
    expect($notice.get()?.text).toBe('You hung up.')
  })

  test('opens with credentials, websocket before polling, and the delays of the specification', () => {
    expect(world.options).toMatchObject({
      withCredentials: true,
      transports: ['websocket', 'polling'],
      timeout: 20_000,
      reconnectionDelay: 1000,
      reconnectionDelayMax: 5000,
      randomizationFactor: 0.5,
      reconnectionAttempts: Number.POSITIVE_INFINITY,
    })
  })

  test('registers the user at the first connection and at each one after it', () => {
    world.socket.fire('connect')
    world.socket.fire('connect')
    expect(world.emitted).toEqual([
      ['register', 'u1'],
      ['register', 'u1'],
    ])
  })

  test('connects again by itself where the server hung up; a lost line the client takes up itself', async () => {
    world.socket.fire('disconnect', 'transport close')
    await vi.advanceTimersByTimeAsync(5000)
    expect(world.connects).toBe(0)
    world.socket.fire('disconnect', 'io server disconnect')
    await vi.advanceTimersByTimeAsync(5000)
    expect(world.connects).toBe(1)
  })

  test('tells of each connection but the first', () => {
    world.socket.fire('connect')
    expect(reconnections).toBe(0)
    world.socket.fire('connect')
    expect(reconnections).toBe(1)
  })

  test.each([
    ['refused', noCall, 1],
    ['refused', live, 0],
    ['unreachable', noCall, 0],
  ] as const)('a refresh that is %s ends the session only between calls', async (outcome, call, times) => {
    world.outcome = outcome
    $call.set(call)
    world.socket.fire('connect_error', unauthorized)
    await vi.advanceTimersByTimeAsync(10)
    expect(world.ended).toBe(times)
  })
})
