import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failure, success } from '#lib/result.ts'
import { callee, credential, microphone, openLine, rate, refused } from '#support/scripted-line.ts'
import { callStatus } from '#voice/call.ts'
import type { CallLinePorts, Placement } from './call-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the press of Call', () => {
  test('shows Ringing at once, before there is a token or a microphone', async () => {
    const { line } = openLine()
    const placing = line.place({ callee, rate })
    expect(callStatus(line.$call.get())).toBe('ringing')
    await placing
  })

  test('asks for the token, then the microphone, then connects', async () => {
    const order: string[] = []
    const open = microphone()
    const { line, voice } = openLine({
      requestToken: async () => {
        order.push('token')
        return credential
      },
      openMicrophone: async () => {
        order.push('microphone')
        return success(open.stream)
      },
    })
    await line.place({ callee, rate })
    expect(order).toEqual(['token', 'microphone'])
    expect(voice.lines).toEqual([
      { to: '+12125550100', expectsRateMicroUsd: 20_000, microphone: open.stream },
    ])
  })

  test.each([
    [402, undefined, 'no_credits'],
    [403, 'call_blocked', 'call_blocked'],
    [403, undefined, 'email_unverified'],
    [401, undefined, 'authentication_failed'],
    [500, undefined, 'token_failed'],
    [0, undefined, 'token_failed'],
  ])(
    'a token rejected with %i (%s) ends it as %s, and the microphone is not asked for',
    async (status, reason, kind) => {
      const openMicrophone = vi.fn<CallLinePorts['openMicrophone']>()
      const { line } = openLine({ requestToken: async () => refused(status, reason), openMicrophone })
      await line.place({ callee, rate })
      expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind }, talkedMs: null })
      expect(openMicrophone).not.toHaveBeenCalled()
    },
  )

  test.each(['browser_unsupported', 'page_insecure'] as const)(
    'where no call can be made it ends at once, and nothing is asked for: %s',
    async obstacle => {
      const requestToken = vi.fn<CallLinePorts['requestToken']>()
      const openMicrophone = vi.fn<CallLinePorts['openMicrophone']>()
      const { line } = openLine({ findObstacle: () => obstacle, requestToken, openMicrophone })
      await line.place({ callee, rate })
      expect(line.$call.get()).toMatchObject({
        state: 'ended',
        endReason: { kind: obstacle },
        talkedMs: null,
      })
      expect(requestToken).not.toHaveBeenCalled()
      expect(openMicrophone).not.toHaveBeenCalled()
    },
  )

  test('ends a call whose code does not load in 30 s, and closes the microphone', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { line, microphone: open } = openLine({ loadVoice: () => new Promise(() => undefined) })
    void line.place({ callee, rate })
    await vi.advanceTimersByTimeAsync(29_999)
    expect(callStatus(line.$call.get())).toBe('ringing')
    await vi.advanceTimersByTimeAsync(1)
    expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'client_disconnected' } })
    expect(open.stop).toHaveBeenCalledOnce()
  })

  test.each(['microphone_denied', 'microphone_missing', 'microphone_busy'] as const)(
    'no call is placed when the microphone is refused: %s',
    async code => {
      const { line, voice } = openLine({ openMicrophone: async () => failure(code) })
      await line.place({ callee, rate })
      expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: code } })
      expect(voice.log).toEqual(['destroy'])
    },
  )

  test('shows Ringing while it is not known who calls, and asks for nothing until then', async () => {
    const admission = Promise.withResolvers<null>()
    const requestToken = vi.fn<CallLinePorts['requestToken']>(async () => credential)
    const { line, voice } = openLine({ requestToken })
    const placing = line.place({ callee, rate, admission: admission.promise })
    await vi.advanceTimersByTimeAsync(1000)
    expect(callStatus(line.$call.get())).toBe('ringing')
    expect(requestToken).not.toHaveBeenCalled()
    admission.resolve(null)
    await placing
    expect(voice.log).toEqual(['connect +12125550100'])
  })

  test('hung up while it is not known who calls, nothing is placed', async () => {
    const admission = Promise.withResolvers<null>()
    const { line, voice } = openLine()
    const placing = line.place({ callee, rate, admission: admission.promise })
    line.hangUp()
    admission.resolve(null)
    await placing
    expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'cancelled' } })
    expect(voice.log).toEqual([])
  })

  test('of one who may not call ends without a token being asked for', async () => {
    const requestToken = vi.fn<CallLinePorts['requestToken']>()
    const { line } = openLine({ requestToken })
    await line.place({ callee, rate, admission: Promise.resolve({ kind: 'call_blocked' }) })
    expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'call_blocked' } })
    expect(requestToken).not.toHaveBeenCalled()
  })

  test('twice in a row places one call', async () => {
    const { line, voice } = openLine()
    await Promise.all([line.place({ callee, rate }), line.place({ callee, rate })])
    expect(voice.log).toEqual(['connect +12125550100'])
  })

  test('hanging up while the browser still asks for the microphone places no call and closes it', async () => {
    const open = microphone()
    let allow: () => void = () => undefined
    const { line, voice } = openLine({
      openMicrophone: () =>
        new Promise(resolve => {
          allow = () => resolve(success(open.stream))
        }),
    })
    const placing = line.place({ callee, rate })
    await vi.advanceTimersByTimeAsync(10)
    line.hangUp()
    allow()
    await placing
    expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'cancelled' } })
    expect(voice.log).toEqual(['destroy'])
    expect(open.stop).toHaveBeenCalledOnce()
  })

  test.each([
    ['loaded', () => Promise.reject(new Error('chunk'))],
    [
      'started',
      async () => () => {
        throw new Error('no WebRTC here')
      },
    ],
  ])('ends clearly when the voice client cannot be %s', async (_, loadVoice) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { line, microphone: open } = openLine({ loadVoice })
    await line.place({ callee, rate })
    expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'client_disconnected' } })
    expect(open.stop).toHaveBeenCalledOnce()
  })
})

describe('the price that was shown', () => {
  test('goes with the call; a free call, a test call and one whose price is not known have none', async () => {
    const shown = async (rate: Placement['rate']) => {
      const { line, voice } = openLine()
      await line.place({ callee, rate })
      return voice.lines[0]?.expectsRateMicroUsd
    }
    expect(await shown(Promise.resolve(289_000))).toBe(289_000)
    expect(await shown(Promise.resolve(0))).toBeUndefined()
    expect(await shown(Promise.resolve(null))).toBeUndefined()
    expect(await shown(new Promise(() => undefined))).toBeUndefined()
  })
})

describe('the caller ID', () => {
  test('is the one chosen at the press, whatever is chosen while the call is being set up', async () => {
    let chosen: string | undefined = '+447700900142'
    const { line, voice } = openLine({
      callerId: async () => chosen,
      openMicrophone: async () => {
        chosen = undefined
        return success(microphone().stream)
      },
    })
    await line.place({ callee, rate })
    expect(voice.lines[0]).toMatchObject({ to: callee.e164, callerId: '+447700900142' })
  })

  test('is left out for the public number', async () => {
    const { line, voice } = openLine()
    await line.place({ callee, rate })
    expect(voice.lines[0]).not.toHaveProperty('callerId')
  })
})
