import { describe, expect, test, vi } from 'vitest'
import {
  connect,
  device,
  exchange,
  open,
  type ScriptedCall,
  scriptVendor,
  sdk,
  settle,
  vendor,
} from '#support/scripted-vendor.ts'

vi.mock('@twilio/voice-sdk', async () => (await import('#support/scripted-vendor.ts')).sdk)
scriptVendor()

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
    const { attempt: Attempt } = (await connect()).client
    expect(device().log).toEqual([['connect', { params: { To: '+12125550100', Attempt } }]])
    const second = await connect({ callerId: '+447700900142' })
    const params = { To: '+12125550100', Attempt: second.client.attempt, CallerId: '+447700900142' }
    expect(device().log).toEqual([['connect', { params }]])
    await connect({ test: true })
    expect(device().log).toMatchObject([['connect', { params: { Purpose: 'test' } }]])
    expect(device().log).not.toMatchObject([['connect', { params: { Free: expect.anything() } }]])
    await connect({ expectsFree: true })
    expect(device().log).toMatchObject([['connect', { params: { Free: 'expected' } }]])
    const { client } = await connect({ expectsRateMicroUsd: 289_000 })
    expect(device().log).toMatchObject([['connect', { params: { Rate: '289000' } }]])
    expect(client.attempt).not.toBe(Attempt)
    expect(client.attempt).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  test('the relay, where the server names one', async () => {
    const relay = { urls: ['turns:relay.example:443'], username: '1', credential: 'c' }
    await connect({}, { route: { ...exchange, relay } })
    expect(device().log).toMatchObject([['connect', { rtcConfiguration: { iceServers: [relay] } }]])
  })

  test('to mute, to send digits and to take a fresh token in an answered call', async () => {
    const { client, call } = await connect()
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

test('an iPhone is told that the page makes a call, for as long as it does', async () => {
  const session = { type: 'auto' }
  Reflect.set(navigator, 'audioSession', session)
  const { client } = await connect()
  expect(session.type).toBe('play-and-record')
  client.hangUp()
  await settle()
  expect(session.type).toBe('auto')
  Reflect.deleteProperty(navigator, 'audioSession')
})

test('the next call loads again a client that could not be loaded', async () => {
  vi.resetModules()
  vi.doMock('@twilio/voice-sdk', () => Promise.reject(new Error('gone')))
  const fresh = await import('./twilio.ts')
  await expect(fresh.loadVoice(exchange)).rejects.toThrow()
  vi.doMock('@twilio/voice-sdk', () => ({ ...sdk, Call: { Codec: {} } }))
  expect(await fresh.loadVoice(exchange)).toBeTypeOf('function')
})

test('names of the vendor’s own are not taken for our server’s', async () => {
  const { events, call } = await connect({}, { route: { kind: 'vendor' } })
  call.emit('ringing')
  call.emit('accept')
  expect(events).toEqual([{ kind: 'ringing' }, { kind: 'answered' }, { kind: 'sound_passes' }])
})

test('the client says nothing more about a call that the vendor’s network ends before the answer', async () => {
  const { events, call } = await connect({}, { route: { kind: 'vendor' } })
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
    const { events, microphone } = await connect()
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
    const { events } = await connect()
    device().emit('error', { code, message: '' })
    expect(events).toEqual([{ kind: 'ended', endReason: { kind } }])
  })

  test('a line that does not come up is waited for, 15 s and no longer', async () => {
    vendor.connect = () => new Promise(() => undefined)
    const { events } = await connect()
    device().emit('error', { code: 53000, message: '' })
    device().emit('error', { code: 31005, message: '' })
    await vi.advanceTimersByTimeAsync(14_999)
    expect(events).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'client_disconnected' } }])
  })

  test('a ringing phone is waited for as long as it rings', async () => {
    const { events, call } = await connect()
    call.emit('ringing')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(events).toEqual([{ kind: 'ringing', callId: 'CA1' }])
  })

  test('hung up before there is a line, leaves none behind', async () => {
    const late = Promise.withResolvers<unknown>()
    vendor.connect = () => late.promise
    const { client, events, call } = await connect()
    client.hangUp()
    late.resolve(call)
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'cancelled' } }])
    expect(call.log).toEqual(['disconnect'])
  })

  test('nobody answers: the other end goes, or is gone', async () => {
    for (const end of [(call: ScriptedCall) => call.close(), (call: ScriptedCall) => call.emit('cancel')]) {
      const { events, call } = await connect()
      end(call)
      await settle()
      expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'no_answer' } }])
    }
  })

  test('a socket lost before the answer loses the call too', async () => {
    const { events, call } = await connect()
    call.state = 'closed'
    call.emit('transportClose')
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'client_disconnected' } }])
  })

  test('a rejection has the text of our server', async () => {
    const { events, call } = await connect()
    call.close({ code: 31002, message: "X (31002): You don't have enough credits to make this call" })
    await settle()
    const message = "You don't have enough credits to make this call"
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'refused', message } }])
  })

  test('an unknown code is a failed start, in the text of SPEC-8.14', async () => {
    const { events, call } = await connect()
    call.close({ code: 31999, message: '' })
    await settle()
    expect(events).toEqual([{ kind: 'ended', endReason: { kind: 'start_refused' } }])
  })
})
