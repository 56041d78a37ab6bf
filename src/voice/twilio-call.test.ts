import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import {
  answer,
  connect,
  device,
  enumerateDevices,
  scriptVendor,
  settle,
  streamOf,
  track,
} from '#support/scripted-vendor.ts'

vi.mock('@twilio/voice-sdk', async () => (await import('#support/scripted-vendor.ts')).sdk)
scriptVendor()

describe('a call in progress', () => {
  test('is ended by no error of the device, of its socket or of its token', async () => {
    const { events } = await answer()
    for (const code of [20101, 20151, 31005, 31204, 53000, 53001, 31201])
      device().emit('error', { code, message: '' })
    await settle()
    expect(events).toEqual([])
  })

  test('has a fresh token asked for before its own runs out, and when it has', async () => {
    const { events } = await answer()
    device().emit('tokenWillExpire')
    device().emit('error', { code: 20104, message: '' })
    device().emit('error', { code: 31205, message: '' })
    expect(events).toEqual(Array(3).fill({ kind: 'token_expiring' }))
  })

  test('continues after an error of its own that closes nothing, and without its socket', async () => {
    const { events, call } = await answer()
    call.emit('error', { code: 31003, message: '' })
    call.emit('transportClose')
    await settle()
    expect(events).toEqual([])
  })

  test('when closed, ends once, for the reason given just after', async () => {
    const { events, call, microphone } = await answer()
    call.close({ code: 31003, message: '' })
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'connection_interrupted' } }])
    expect(microphone.stop).toHaveBeenCalledOnce()
  })

  test('without a reason was hung up by the other end', async () => {
    const { events, call } = await answer()
    call.close()
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'callee_hung_up' } }])
  })

  test('distinguishes lost sound from a lost service', async () => {
    const { events, call } = await answer()
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
    const { call } = await answer()
    const noticed = vi.fn<() => void>()
    Object.assign(call, { _onMediaReconnected: noticed })
    call.emit('reconnecting', { code: 53405 })
    for (let second = 0; second < 3; second += 1) call.emit('sample', { packetsReceived: 50 })
    expect(noticed).toHaveBeenCalledOnce()
  })

  test('goes on over a new network: another socket first, then an ICE restart', async () => {
    const { call, client } = await answer()
    const log: string[] = []
    Object.assign(device(), {
      _stream: { status: 'connected', transport: { state: 'open', _closeSocket: () => log.push('socket') } },
    })
    Object.assign(call, { _onMediaFailure: (failure: string) => log.push(failure) })
    call.emit('reconnected')
    dispatchEvent(new Event('online'))
    expect(log).toEqual(['socket'])
    call.emit('reconnected')
    call.emit('reconnected')
    expect(log).toEqual(['socket', 'IceGatheringFailed'])
    client.hangUp()
    await settle()
    dispatchEvent(new Event('online'))
    expect(log).toHaveLength(2)
  })

  test('keeps its socket on a new network until it is answered: the call would end with it', async () => {
    const { client } = await connect()
    const close = vi.fn<() => void>()
    Object.assign(device(), { _stream: { transport: { state: 'open', _closeSocket: close } } })
    dispatchEvent(new Event('online'))
    expect(close).not.toHaveBeenCalled()
    client.destroy()
  })

  test('says when no sound comes from the other end', async () => {
    const { events, call } = await answer()
    for (let second = 0; second < 10; second += 1) call.emit('sample', { packetsReceived: 0 })
    call.emit('sample', { packetsReceived: 50 })
    expect(events).toEqual([
      { kind: 'sound', arriving: false },
      { kind: 'sound', arriving: true },
    ])
  })

  test('watches afresh for sound after the path was mended', async () => {
    const { events, call } = await answer()
    const quiet = () => call.emit('sample', { packetsReceived: 0 })
    for (let second = 0; second < 9; second += 1) quiet()
    call.emit('reconnected')
    for (let second = 0; second < 9; second += 1) quiet()
    expect(events).toEqual([{ kind: 'reconnected' }])
    quiet()
    expect(events.at(-1)).toEqual({ kind: 'sound', arriving: false })
  })

  test('is hung up at once in a hidden page, whose timers are late', async () => {
    const { client, call } = await answer()
    Object.assign(document, { hidden: true })
    client.hangUp()
    Object.assign(document, { hidden: false })
    expect(call.log).toEqual(['disconnect'])
    expect(device().log.at(-1)).toBe('destroy')
  })

  test('is hung up by the caller, and lets everything go', async () => {
    const { client, events, call, microphone } = await answer()
    client.hangUp()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'caller_hung_up' } }])
    // The page shows the end first.
    expect(call.log).toEqual([])
    await settle()
    expect(call.log).toEqual(['disconnect'])
    expect(device().log.at(-1)).toBe('destroy')
    expect(microphone.stop).toHaveBeenCalledOnce()
    device().emit('error', { code: 1, message: '' })
    call.close()
    await settle()
    expect(events).toHaveLength(1)
  })

  test('hung up while the service is away, leaves word until it is back, for a minute', async () => {
    for (const back of [true, false]) {
      const { client } = await answer()
      const word: string[] = []
      const stream = Object.assign(new EventEmitter(), {
        status: 'disconnected',
        hangup: (callSid: string) => word.push(callSid),
      })
      Object.assign(device(), { _stream: stream })
      client.hangUp()
      await settle()
      expect(word).toEqual(['CA1'])
      expect(device().log).not.toContain('destroy')
      if (back) stream.emit('connected')
      else await vi.advanceTimersByTimeAsync(60_000)
      expect(device().log.at(-1)).toBe('destroy')
    }
  })

  test('is destroyed without a word', async () => {
    const { client, events, microphone } = await answer()
    client.destroy()
    expect(events).toEqual([])
    expect(device().log.at(-1)).toBe('destroy')
    expect(microphone.stop).toHaveBeenCalledOnce()
  })
})

describe('an interrupted call', () => {
  test('plays again by itself, and says that a press is needed only while it cannot', async () => {
    const { client, events, call } = await answer()
    let allowed = false
    const element = {
      paused: true,
      play: async () => {
        if (!allowed) throw new DOMException('', 'NotAllowedError')
        element.paused = false
      },
    }
    const context = { state: 'interrupted', resume: vi.fn<() => Promise<void>>(async () => undefined) }
    Object.assign(call, { _mediaHandler: { _masterAudio: element, _audioContext: context } })
    await vi.advanceTimersByTimeAsync(1500)
    expect(events).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    expect(new Set(events)).toEqual(new Set([{ kind: 'microphone', state: 'interrupted' }]))
    expect(context.resume).toHaveBeenCalled()
    allowed = true
    document.dispatchEvent(new Event('click'))
    await vi.advanceTimersByTimeAsync(500)
    expect(element.paused).toBe(false)
    expect(events.at(-1)).toEqual({ kind: 'microphone', state: 'fine' })
    const told = events.length
    client.hangUp()
    element.paused = true
    await vi.advanceTimersByTimeAsync(5000)
    expect([element.paused, events.length]).toEqual([true, told + 1])
  })
})

test.each([
  [true, [{ kind: 'microphone', state: 'interrupted' }]],
  [false, []],
])('a microphone that the system mutes is told unless the user muted it: %s', async (enabled, expected) => {
  const { client, events, microphone } = await answer()
  Object.assign(microphone, { muted: true, enabled })
  await vi.advanceTimersByTimeAsync(2000)
  expect(events).toEqual(expected)
  client.destroy()
})

/** How the client asks for the system's default microphone at a change of devices. */
const systems = { audio: { deviceId: { exact: 'default' } } }

describe('a microphone unplugged in a call', () => {
  test('is reported, and another one is used: by the client, or within two seconds by us', async () => {
    const another = track('Headset')
    vi.stubGlobal('navigator', {
      mediaDevices: { enumerateDevices, getUserMedia: async () => streamOf(another) },
    })
    const { client, events, microphone } = await answer()
    const setInputDevice = vi.fn<(id: string) => Promise<void>>(async () => undefined)
    Object.assign(device(), { audio: { availableInputDevices: new Map([['m2', {}]]), setInputDevice } })
    microphone.readyState = 'ended'
    microphone.dispatchEvent(new Event('ended'))
    expect(events).toEqual([{ kind: 'microphone', state: 'lost' }])
    await vi.advanceTimersByTimeAsync(1500)
    expect(setInputDevice).toHaveBeenCalledWith('m2')

    const getUserMedia = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    // For the speaker of a headset as well. The client would stop what it got twice.
    const taken = [getUserMedia(systems), getUserMedia(systems)]
    expect((await Promise.race(taken)).getAudioTracks()).toEqual([another])
    await settle()
    expect(await Promise.race([taken[1], 'unanswered'])).toBe('unanswered')
    expect(events.at(-1)).toEqual({ kind: 'microphone', state: 'changed' })
    client.hangUp()
    await settle()
    expect(another.stop).toHaveBeenCalledOnce()
  })

  test('is no longer reported where the same one is opened again', async () => {
    const again = track()
    vi.stubGlobal('navigator', {
      mediaDevices: { enumerateDevices, getUserMedia: async () => streamOf(again) },
    })
    const { events, microphone } = await answer()
    const ask = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    const forced = vi.fn<(id: string, force: boolean) => Promise<unknown>>(() => ask(systems))
    Object.assign(device(), {
      audio: { availableInputDevices: new Map([['m', {}]]), _setInputDevice: forced },
    })
    microphone.readyState = 'ended'
    microphone.dispatchEvent(new Event('ended'))
    await vi.advanceTimersByTimeAsync(1500)
    // The client would otherwise keep the ended stream of a microphone that it was given before.
    expect(forced.mock.calls).toEqual([['m', true]])
    expect(events).toEqual([
      { kind: 'microphone', state: 'lost' },
      { kind: 'microphone', state: 'fine' },
    ])
  })

  test.each([
    ['is no news where it is the same one', 'Built-in', []],
    ['is told where it is another', 'Headset', [{ kind: 'microphone', state: 'changed' }]],
  ])('reopened by the client, it %s', async (_, label, expected) => {
    const another = track(label)
    vi.stubGlobal('navigator', {
      mediaDevices: { enumerateDevices, getUserMedia: async () => streamOf(another) },
    })
    const { events, microphone } = await answer()
    microphone.readyState = 'ended' // stopped by the client: without the event of one that is gone
    const getUserMedia = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    expect((await getUserMedia(systems)).getAudioTracks()).toEqual([another])
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
    const microphone = track('Headset')
    const { events } = await connect({ microphoneId: 'headset' }, { microphone })
    const ask = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    microphone.readyState = 'ended'
    expect((await ask(systems)).getAudioTracks()).toEqual([headset])
    expect(events).toEqual([])
    headset.readyState = 'ended'
    connected = false
    expect((await ask(systems)).getAudioTracks()).toEqual([builtIn])
    expect(events).toEqual([{ kind: 'microphone', state: 'changed' }])
  })

  test('what the client asks for and would stop at once is not opened', async () => {
    const getUserMedia = vi.fn<() => Promise<MediaStream>>()
    vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices, getUserMedia } })
    const { microphone } = await answer()
    const ask = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    expect((await ask({ audio: true })).getAudioTracks()).toEqual([microphone])
    microphone.readyState = 'ended'
    void ask({ audio: true })
    await vi.advanceTimersByTimeAsync(500)
    expect(getUserMedia).not.toHaveBeenCalled()
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
    const { events, microphone } = await answer()
    const getUserMedia = device().options['getUserMedia'] as (constraints: object) => Promise<MediaStream>
    expect((await getUserMedia(systems)).getAudioTracks()).toEqual([microphone])
    expect(events).toEqual([])
  })
})
