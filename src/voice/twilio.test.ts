import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ConnectOptions, VoiceClient, VoiceEvent } from './port.ts'

/** The vendor's client as far as ours uses it: the test controls it. */
const vendor = vi.hoisted(() => ({
  devices: [] as unknown[],
  connect: undefined as unknown as () => Promise<unknown>,
}))
vi.mock('@twilio/voice-sdk', () => ({
  Device: ScriptedDevice,
  Call: { Codec: { Opus: 'opus', PCMU: 'pcmu' } },
}))

class ScriptedDevice extends EventEmitter {
  readonly log: unknown[] = []
  readonly token: string
  readonly options: Record<string, unknown>
  constructor(token: string, options: Record<string, unknown>) {
    super()
    this.token = token
    this.options = options
    vendor.devices.push(this)
  }
  connect(options: unknown): Promise<unknown> {
    this.log.push(['connect', options])
    return vendor.connect()
  }
  destroy(): void {
    this.log.push('destroy')
    this.removeAllListeners()
  }
  updateToken(token: string): void {
    this.log.push(['token', token])
  }
}

class ScriptedCall extends EventEmitter {
  readonly log: unknown[] = []
  readonly parameters = { CallSid: 'CA1' }
  state = 'pending'
  status = () => this.state
  disconnect = () => void this.log.push('disconnect')
  mute = (muted: boolean) => void this.log.push(['mute', muted])
  sendDigits = (digits: string) => void this.log.push(['digits', digits])

  /** How the vendor's client ends a call: closed first, then the event, an error right after that. */
  close(error?: unknown): void {
    this.state = 'closed'
    this.emit('disconnect')
    if (error !== undefined) this.emit('error', error)
  }
}

function track(label = 'Built-in') {
  return Object.assign(new EventTarget(), { readyState: 'live', label, stop: vi.fn<() => void>() })
}
function streamOf(...tracks: readonly ReturnType<typeof track>[]): MediaStream {
  return { getTracks: () => tracks, getAudioTracks: () => tracks } as unknown as MediaStream
}

const enumerateDevices = vi.fn<() => Promise<unknown[]>>(async () => [])
vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices } })
vi.stubGlobal('location', { protocol: 'https:', host: 'farline.example' })
const { loadVoice } = await import('./twilio.ts')
const exchange = { kind: 'exchange', path: '/exchange' } as const

let events: VoiceEvent[]
let call: ScriptedCall
let client: VoiceClient
let microphone: ReturnType<typeof track>
const device = () => vendor.devices.at(-1) as ScriptedDevice
const settle = () => vi.advanceTimersByTimeAsync(0)
const line = (more: Partial<ConnectOptions> = {}): ConnectOptions => ({
  to: '+12125550100',
  microphone: streamOf(microphone),
  ...more,
})

async function open(route: Parameters<typeof loadVoice>[0] = exchange): Promise<void> {
  const openVoice = await loadVoice(route)
  client = openVoice({ token: 't1', route }, event => events.push(event))
}
async function connect(more: Partial<ConnectOptions> = {}): Promise<void> {
  await open()
  client.connect(line(more))
  await settle()
}
async function answer(): Promise<void> {
  await connect()
  call.state = 'open'
  call.emit('accept')
  events.length = 0
}

beforeEach(() => {
  vi.useFakeTimers()
  vendor.devices.length = 0
  events = []
  call = new ScriptedCall()
  vendor.connect = async () => call
  microphone = track()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the vendor’s client is told', () => {
  test('to prefer opus, then pcmu, to say why calls fail, to keep one without signalling for 30 s, to ask before the page is left', async () => {
    await open()
    expect(device().options).toMatchObject({
      codecPreferences: ['opus', 'pcmu'],
      enableImprovedSignalingErrorPrecision: true,
      maxCallSignalingTimeoutMs: 30_000,
      closeProtection: true,
    })
  })

  test('to stay with our own server where the exchange is that: no address, no report, no sound of the vendor’s', async () => {
    await open()
    const { chunderw, publishEvents, sounds } = device().options
    expect([chunderw, publishEvents]).toEqual(['farline.example/exchange', false])
    const names = ['incoming', 'outgoing', 'disconnect', 'dtmfs', 'dtmfh']
    for (let digit = 0; digit < 10; digit += 1) names.push(`dtmf${digit}`)
    expect(new Set(Object.keys(sounds as object))).toEqual(new Set(names))
    for (const path of Object.values(sounds as object)) expect(path).toMatch(/^\/sounds\/\w+\.wav$/)
  })

  test('nothing of our server where it has its own', async () => {
    await open({ kind: 'vendor' })
    expect(device().options).not.toHaveProperty('chunderw')
    expect(device().options['publishEvents']).toBe(false)
  })

  test('the number, the call’s name, and the caller ID where one is chosen', async () => {
    await connect()
    const Attempt = client.attempt
    expect(device().log).toEqual([['connect', { params: { To: '+12125550100', Attempt } }]])
    await connect({ callerId: '+447700900142' })
    expect(device().log).toEqual([
      ['connect', { params: { To: '+12125550100', Attempt: client.attempt, CallerId: '+447700900142' } }],
    ])
    await connect({ test: true })
    expect(device().log).toMatchObject([['connect', { params: { Purpose: 'test' } }]])
    expect(device().log).not.toMatchObject([['connect', { params: { Free: expect.anything() } }]])
    await connect({ expectsFree: true })
    expect(device().log).toMatchObject([['connect', { params: { Free: 'expected' } }]])
    await connect({ expectsRateMicroUsd: 289_000 })
    expect(device().log).toMatchObject([['connect', { params: { Rate: '289000' } }]])
    expect(client.attempt).not.toBe(Attempt)
    expect(client.attempt).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  test('to mute, to send digits and to take a fresh token in an answered call', async () => {
    await connect()
    client.sendDigits('1')
    expect(call.log).toEqual([])
    call.emit('accept')
    client.mute(true)
    client.sendDigits('7')
    client.updateToken('t2')
    expect(call.log).toEqual([
      ['mute', true],
      ['digits', '7'],
    ])
    expect(device().log.at(-1)).toEqual(['token', 't2'])
  })
})

test('the next call loads again a client that could not be loaded', async () => {
  vi.resetModules()
  vi.doMock('@twilio/voice-sdk', () => Promise.reject(new Error('gone')))
  const fresh = await import('./twilio.ts')
  await expect(fresh.loadVoice(exchange)).rejects.toThrow()
  vi.doMock('@twilio/voice-sdk', () => ({ Device: ScriptedDevice, Call: { Codec: {} } }))
  expect(await fresh.loadVoice(exchange)).toBeTypeOf('function')
})

test('names of the vendor’s own are not taken for our server’s', async () => {
  await open({ kind: 'vendor' })
  client.connect(line())
  await settle()
  call.emit('ringing')
  call.emit('accept')
  expect(events).toEqual([{ kind: 'ringing' }, { kind: 'answered' }, { kind: 'sound_passes' }])
})

test('the client says nothing more about a call that the vendor’s network ends before the answer', async () => {
  await open({ kind: 'vendor' })
  client.connect(line())
  await settle()
  call.emit('ringing')
  call.close()
  await settle()
  expect(events).toEqual([{ kind: 'ringing' }, { kind: 'ended', endReason: { kind: 'no_answer' } }])
})

describe('a call that does not begin', () => {
  test.each([
    [new Error('A Call is already active'), 'already_active'],
    [new Error('Device has been destroyed.'), 'client_destroyed'],
    [new Error('Whatever'), 'client_disconnected'],
    [{ code: 31404, message: 'X (31404): not found' }, 'unrecognised_number'],
  ])('%o is %s', async (error, kind) => {
    vendor.connect = () => Promise.reject(error)
    await connect()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind } }])
    expect(device().log).toContain('destroy')
    expect(microphone.stop).toHaveBeenCalledOnce()
  })

  test.each([
    [20151, 'authentication_failed'],
    [20101, 'token_invalid'],
    [20104, 'token_expired'],
  ])('a token rejected with %i before there is a call is reported as what it is: %s', async (code, kind) => {
    vendor.connect = () => new Promise(() => undefined)
    await connect()
    device().emit('error', { code, message: '' })
    expect(events).toEqual([{ kind: 'ended', endReason: { kind } }])
  })

  test('a line that does not come up is waited for, 15 s and no longer', async () => {
    vendor.connect = () => new Promise(() => undefined)
    await connect()
    device().emit('error', { code: 53000, message: '' })
    device().emit('error', { code: 31005, message: '' })
    await vi.advanceTimersByTimeAsync(14_999)
    expect(events).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'client_disconnected' } }])
  })

  test('a ringing phone is waited for as long as it rings', async () => {
    await connect()
    call.emit('ringing')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(events).toEqual([{ kind: 'ringing', callId: 'CA1' }])
  })

  test('hung up before there is a line, leaves none behind', async () => {
    const late = Promise.withResolvers<unknown>()
    vendor.connect = () => late.promise
    await connect()
    client.hangUp()
    late.resolve(call)
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'cancelled' } }])
    expect(call.log).toEqual(['disconnect'])
  })

  test('nobody answers: the other end goes, or is gone', async () => {
    for (const end of [() => call.close(), () => call.emit('cancel')]) {
      events = []
      call = new ScriptedCall()
      await connect()
      end()
      await settle()
      expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'no_answer' } }])
    }
  })

  test('a socket lost before the answer loses the call too', async () => {
    await connect()
    call.state = 'closed'
    call.emit('transportClose')
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'client_disconnected' } }])
  })

  test('a rejection has the text of our server', async () => {
    await connect()
    call.close({ code: 31002, message: "X (31002): You don't have enough credits to make this call" })
    await settle()
    const message = "You don't have enough credits to make this call"
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'refused', message } }])
  })

  test('an unknown code is a failed start, in the text of SPEC-8.14', async () => {
    await connect()
    call.close({ code: 31999, message: '' })
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'start_refused' } }])
  })
})

describe('a call in progress', () => {
  test('is ended by no error of the device, of its socket or of its token', async () => {
    await answer()
    for (const code of [20101, 20151, 31005, 31204, 53000, 53001, 31201])
      device().emit('error', { code, message: '' })
    await settle()
    expect(events).toEqual([])
  })

  test('has a fresh token asked for before its own runs out, and when it has', async () => {
    await answer()
    device().emit('tokenWillExpire')
    device().emit('error', { code: 20104, message: '' })
    device().emit('error', { code: 31205, message: '' })
    expect(events).toEqual(Array(3).fill({ kind: 'token_expiring' }))
  })

  test('continues after an error of its own that closes nothing, and without its socket', async () => {
    await answer()
    call.emit('error', { code: 31003, message: '' })
    call.emit('transportClose')
    await settle()
    expect(events).toEqual([])
  })

  test('when closed, ends once, for the reason given just after', async () => {
    await answer()
    call.close({ code: 31003, message: '' })
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'connection_interrupted' } }])
    expect(microphone.stop).toHaveBeenCalledOnce()
  })

  test('without a reason was hung up by the other end', async () => {
    await answer()
    call.close()
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'callee_hung_up' } }])
  })

  test('distinguishes lost sound from a lost service', async () => {
    await answer()
    call.emit('reconnecting', { code: 53405 })
    call.emit('reconnected')
    call.emit('reconnecting', { code: 53001 })
    expect(events).toEqual([
      { kind: 'reconnecting', lost: 'media' },
      { kind: 'reconnected' },
      { kind: 'reconnecting', lost: 'signalling' },
    ])
  })

  test('takes sound that flows again for back, which the vendor’s client misses', async () => {
    await answer()
    const noticed = vi.fn<() => void>()
    Object.assign(call, { _onMediaReconnected: noticed })
    call.emit('reconnecting', { code: 53405 })
    for (let second = 0; second < 3; second += 1) call.emit('sample', { packetsReceived: 50 })
    expect(noticed).toHaveBeenCalledOnce()
  })

  test('says when no sound comes from the other end', async () => {
    await answer()
    for (let second = 0; second < 10; second += 1) call.emit('sample', { packetsReceived: 0 })
    call.emit('sample', { packetsReceived: 50 })
    expect(events).toEqual([
      { kind: 'sound', arriving: false },
      { kind: 'sound', arriving: true },
    ])
  })

  test('watches afresh for sound after the path was mended', async () => {
    await answer()
    const quiet = () => call.emit('sample', { packetsReceived: 0 })
    for (let second = 0; second < 9; second += 1) quiet()
    call.emit('reconnected')
    for (let second = 0; second < 9; second += 1) quiet()
    expect(events).toEqual([{ kind: 'reconnected' }])
    quiet()
    expect(events.at(-1)).toEqual({ kind: 'sound', arriving: false })
  })

  test('is hung up by the caller, and lets everything go', async () => {
    await answer()
    client.hangUp()
    expect(call.log).toEqual(['disconnect'])
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'caller_hung_up' } }])
    expect(device().log.at(-1)).toBe('destroy')
    expect(microphone.stop).toHaveBeenCalledOnce()
    device().emit('error', { code: 1, message: '' })
    call.close()
    await settle()
    expect(events).toHaveLength(1)
  })

  test('hung up while the service is away, leaves word until it is back, for a minute', async () => {
    for (const back of [true, false]) {
      await answer()
      const word: string[] = []
      const stream = Object.assign(new EventEmitter(), {
        status: 'disconnected',
        hangup: (callSid: string) => word.push(callSid),
      })
      Object.assign(device(), { _stream: stream })
      client.hangUp()
      expect(word).toEqual(['CA1'])
      expect(device().log).not.toContain('destroy')
      if (back) stream.emit('connected')
      else await vi.advanceTimersByTimeAsync(60_000)
      expect(device().log.at(-1)).toBe('destroy')
    }
  })

  test('is destroyed without a word', async () => {
    await answer()
    client.destroy()
    expect(events).toEqual([])
    expect(device().log.at(-1)).toBe('destroy')
    expect(microphone.stop).toHaveBeenCalledOnce()
  })
})

describe('a microphone unplugged in a call', () => {
  test('is reported, and another one is used: by the client, or a second later by us', async () => {
    const another = track()
    vi.stubGlobal('navigator', {
      mediaDevices: { enumerateDevices, getUserMedia: async () => streamOf(another) },
    })
    await answer()
    const setInputDevice = vi.fn<(id: string) => Promise<void>>(async () => undefined)
    Object.assign(device(), { audio: { availableInputDevices: new Map([['m2', {}]]), setInputDevice } })
    microphone.readyState = 'ended'
    microphone.dispatchEvent(new Event('ended'))
    expect(events).toEqual([{ kind: 'microphone', state: 'lost' }])
    await vi.advanceTimersByTimeAsync(1000)
    expect(setInputDevice).toHaveBeenCalledWith('m2')

    const getUserMedia = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    await getUserMedia({ audio: true })
    expect(events.at(-1)).toEqual({ kind: 'microphone', state: 'changed' })
    client.hangUp()
    expect(another.stop).toHaveBeenCalledOnce()
  })

  test.each([
    ['is no news where it is the same one', 'Built-in', []],
    ['is told where it is another', 'Headset', [{ kind: 'microphone', state: 'changed' }]],
  ])('reopened by the client, it %s', async (_, label, expected) => {
    const another = track(label)
    vi.stubGlobal('navigator', {
      mediaDevices: { enumerateDevices, getUserMedia: async () => streamOf(another) },
    })
    await answer()
    microphone.readyState = 'ended' // stopped by the client: without the event of one that is gone
    const getUserMedia = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    expect((await getUserMedia({ audio: true })).getAudioTracks()).toEqual([another])
    expect(events).toEqual(expected)
  })

  test('a chosen one is opened where the client asks for the system’s choice at a change, else that choice', async () => {
    const [headset, builtIn] = [track('Headset'), track('Built-in')]
    let connected = true
    const getUserMedia = vi.fn<
      (constraints: { audio: { deviceId: { exact: string } } }) => Promise<MediaStream>
    >(async ({ audio }) => {
      if (audio.deviceId.exact === 'default') return streamOf(builtIn)
      if (connected) return streamOf(headset)
      throw new DOMException('', 'OverconstrainedError')
    })
    vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices, getUserMedia } })
    microphone = track('Headset')
    await connect({ microphoneId: 'headset' })
    const ask = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    const systems = { audio: { deviceId: { exact: 'default' } } }
    microphone.readyState = 'ended'
    expect((await ask(systems)).getAudioTracks()).toEqual([headset])
    expect(events).toEqual([])
    headset.readyState = 'ended'
    connected = false
    expect((await ask(systems)).getAudioTracks()).toEqual([builtIn])
    expect(events).toEqual([{ kind: 'microphone', state: 'changed' }])
  })

  test('the client has seen the devices before a call has its sound', async () => {
    let seen = (_: unknown[]) => undefined as unknown
    enumerateDevices.mockImplementationOnce(() => new Promise(resolve => (seen = resolve)))
    await connect()
    expect(device().log).toEqual([])
    seen([])
    await settle()
    expect(device().log).toMatchObject([['connect', {}]])
  })

  test('the page’s own is used as long as it lives', async () => {
    await answer()
    const getUserMedia = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    expect((await getUserMedia({ audio: true })).getAudioTracks()).toEqual([microphone])
    expect(events).toEqual([])
  })
})
