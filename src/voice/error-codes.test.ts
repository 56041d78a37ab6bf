import { afterEach, describe, expect, test } from 'vitest'
import { endReasonText } from '#lib/calls/end-reasons.ts'
import { withPlainSockets } from './device-options.ts'
import { endReasonOf, faultOf } from './error-codes.ts'

const kindOf = (code: number, answered = false) => endReasonOf({ code, message: null }, answered).kind

describe('the voice client and its codes', () => {
  test.each([
    [31208, 31401, 'microphone_denied'],
    [31201, 20151, 'authentication_failed'],
    [31204, 20101, 'token_invalid'],
    [31205, 20104, 'token_expired'],
  ] as const)('old code %i and new code %i are one condition, %s', (older, newer, kind) => {
    expect([kindOf(older), kindOf(newer)]).toEqual([kind, kind])
  })

  test('a wrong number is answered with the catalogue text', () => {
    expect(endReasonText(endReasonOf({ code: 31404, message: null }, false))).toBe(
      'Unrecognised number. Please check the number and try again.',
    )
  })

  test.each([
    [31486, 'busy'],
    [31603, 'declined'],
    [31480, 'unavailable'],
    [31002, 'start_refused'],
  ] as const)('%i before the answer means %s', (code, kind) => {
    expect(kindOf(code)).toBe(kind)
  })

  test('what we or a carrier failed at does not send the user to their network', () => {
    const textOf = (code: number) =>
      endReasonText(endReasonOf({ code, message: 'as the server says' }, false))
    expect(textOf(31904)).toBe("We couldn't start the call. Please try again. Nothing was charged.")
    expect(textOf(31905)).toBe("The call couldn't be connected. Nothing was charged.")
    expect([kindOf(31904, true), kindOf(31905, true)]).toEqual(['service_restarted', 'connection_lost'])
  })

  test('a rejection keeps the text of our server', () => {
    const message = "You don't have enough credits to make this call"
    expect(endReasonOf({ code: 31002, message }, false)).toEqual({ kind: 'refused', message })
  })

  test('distinguishes a call that would not be free, as promised, from other rejections', () => {
    const message = 'Not free.'
    expect(endReasonOf({ code: 31902, message }, false)).toEqual({ kind: 'not_free', message })
    expect(endReasonText({ kind: 'not_free', message })).toBe(message)
  })

  test('distinguishes a lost line before the answer from one after it', () => {
    expect(kindOf(53000)).toBe('client_disconnected')
    expect(kindOf(53001, true)).toBe('connection_lost')
    expect(kindOf(31209, true)).toBe('service_restarted')
    expect(kindOf(99_999)).toBe('start_refused')
    expect(kindOf(99_999, true)).toBe('connection_lost')
  })

  test('distinguishes a service that says goodbye before it stops from a broken line', () => {
    const message = 'Our server is restarting, so the call was ended.'
    expect(endReasonOf({ code: 31005, message }, true).kind).toBe('service_restarted')
    expect(kindOf(31005, true)).toBe('connection_lost')
  })

  test('the code behind a general connection error is the one that counts', () => {
    const error = {
      code: 31005,
      message: 'ConnectionError (31005): Error sent from gateway in HANGUP',
      originalError: { code: 31209, message: 'Call not found' },
    }
    expect(faultOf(error)).toEqual({ code: 31209, message: 'Call not found' })
  })

  test('the name and code before a message are cut off, and the client’s own explanation is no message', () => {
    expect(faultOf({ code: 31002, message: 'ConnectionDeclinedError (31002): No credit left' })).toEqual({
      code: 31002,
      message: 'No credit left',
    })
    const explanation = 'The connection was declined'
    expect(faultOf({ code: 31002, explanation, message: `X (31002): ${explanation}` })?.message).toBeNull()
  })

  test('anything else is none of its errors', () => {
    expect([undefined, null, 'x', {}, new Error('x')].map(faultOf)).toEqual([null, null, null, null, null])
  })
})

describe('plain sockets for the local exchange', () => {
  const original = globalThis.WebSocket
  afterEach(() => {
    globalThis.WebSocket = original
  })

  class Recorder {
    readonly url: string
    constructor(url: string | URL) {
      this.url = String(url)
    }
  }

  test('reach our own host without TLS, and only it, and only while the client loads', async () => {
    Object.assign(globalThis, { WebSocket: Recorder })
    const Captured = await withPlainSockets('localhost:4321', async () => globalThis.WebSocket)
    expect(new Captured('wss://localhost:4321/exchange/signal').url).toBe(
      'ws://localhost:4321/exchange/signal',
    )
    expect(new Captured('wss://localhost:43210/signal').url).toBe('wss://localhost:43210/signal')
    expect(new Captured('wss://voice.example/signal').url).toBe('wss://voice.example/signal')
    expect(globalThis.WebSocket).toBe(Recorder)
  })

  test('put the class back when loading fails', async () => {
    Object.assign(globalThis, { WebSocket: Recorder })
    await expect(withPlainSockets('localhost', () => Promise.reject(new Error('gone')))).rejects.toThrow(
      'gone',
    )
    expect(globalThis.WebSocket).toBe(Recorder)
  })
})
