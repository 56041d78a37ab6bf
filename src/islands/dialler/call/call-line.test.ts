import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failure, success } from '#lib/result.ts'
import { type Callee, callStatus } from '#voice/call.ts'
import { createDigitQueue } from '#voice/digit-queue.ts'
import type { ConnectOptions, VoiceEvent } from '#voice/port.ts'
import { type CallLinePorts, createCallLine, type Placement } from './call-line.ts'

const callee: Callee = {
  e164: '+12125550100',
  formatted: '+1 212 555 0100',
  extension: '',
  country: { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' },
}
const rate = Promise.resolve(20_000)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A voice service that the test controls, and that records its requests. */
function scriptedVoice() {
  const log: string[] = []
  const lines: ConnectOptions[] = []
  let attempts = 0
  let emit: (event: VoiceEvent) => void = () => undefined
  return {
    log,
    lines,
    say: (event: VoiceEvent) => emit(event),
    load: async () => (_credential: unknown, onEvent: (event: VoiceEvent) => void) => {
      emit = onEvent
      return {
        attempt: `attempt-${++attempts}`,
        connect: (line: ConnectOptions) => {
          lines.push(line)
          log.push(`connect ${line.to}`)
        },
        hangUp: () => {
          log.push('hang up')
          onEvent({ kind: 'ended', endReason: { kind: 'caller_hung_up' } })
        },
        mute: (muted: boolean) => log.push(muted ? 'mute' : 'unmute'),
        sendDigits: (digits: string) => log.push(`digit ${digits}`),
        changeSound: async (kind: string, id: string | undefined) => {
          log.push(`${kind} ${id ?? 'default'}`)
          return true
        },
        microphone: () => null,
        updateToken: (token: string) => log.push(`token ${token}`),
        destroy: () => log.push('destroy'),
      }
    },
  }
}

/** What a voice service says that names its calls as the server does. */
const rang = (callId: string) => ({ kind: 'ringing', callId }) as const
const answered = (callId: string) => ({ kind: 'answered', callId }) as const

/** As much of a media stream as a line touches: the browser's own cannot be had here. */
function microphone() {
  const stop = vi.fn<() => void>()
  return { stop, stream: { getTracks: () => [{ stop }] } as unknown as MediaStream }
}

const credential = {
  ok: true,
  value: { token: 't1', ttlSeconds: 60, route: { kind: 'exchange', path: '/exchange' } },
} as const
const refused = (status: number, reason?: string) =>
  ({
    ok: false,
    code: 'unexpected_reply',
    message: '',
    status,
    body: { error: { code: 'x', message: 'x' }, reason },
  }) as const

function openLine(ports: Partial<CallLinePorts> = {}) {
  const voice = scriptedVoice()
  const open = microphone()
  const line = createCallLine({
    requestToken: async () => credential,
    findObstacle: () => null,
    callerId: async () => undefined,
    openMicrophone: async () => success(open.stream),
    chosenSound: () => ({}),
    loadVoice: voice.load,
    loadDigitQueue: async () => createDigitQueue,
    nowMs: () => performance.now(),
    wait: (ms, callback) => {
      setTimeout(callback, ms)
    },
    ...ports,
  })
  return { line, voice, microphone: open }
}

async function answeredLine() {
  const all = openLine()
  await all.line.place({ callee, rate })
  all.voice.say({ kind: 'ringing' })
  all.voice.say({ kind: 'answered' })
  return all
}

describe('the press of Call', () => {
  test('shows Ringing at once, before there is a token or a microphone', async () => {
    const { line } = openLine()
    const placing = line.place({ callee, rate })
    expect(callStatus(line.$call.get())).toBe('Ringing')
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

  test.each(['microphone_denied', 'microphone_missing', 'microphone_busy'] as const)(
    'no call is placed when the microphone is refused: %s',
    async code => {
      const { line, voice } = openLine({ openMicrophone: async () => failure(code) })
      await line.place({ callee, rate })
      expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: code } })
      expect(voice.log).toEqual([])
    },
  )

  test('shows Ringing while it is not known who calls, and asks for nothing until then', async () => {
    const admission = Promise.withResolvers<null>()
    const requestToken = vi.fn<CallLinePorts['requestToken']>(async () => credential)
    const { line, voice } = openLine({ requestToken })
    const placing = line.place({ callee, rate, admission: admission.promise })
    await vi.advanceTimersByTimeAsync(1000)
    expect(callStatus(line.$call.get())).toBe('Ringing')
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
    expect(voice.log).toEqual([])
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

describe('a call in progress', () => {
  test('is muted only once answered', async () => {
    const { line, voice } = openLine()
    await line.place({ callee, rate })
    line.setMuted(true)
    expect(voice.log).not.toContain('mute')
    voice.say({ kind: 'answered' })
    line.setMuted(true)
    expect(voice.log).toContain('mute')
    expect(line.$call.get()).toMatchObject({ state: 'open', muted: true })
  })

  test('sends digits through the queue, 300 ms apart', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('12')
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1'])
    vi.advanceTimersByTime(300)
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1', 'digit 2'])
    expect(line.$digits.get().sent).toBe('12')
  })

  test('is silent while digits leave, and no longer', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('12')
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 1'])
    vi.advanceTimersByTime(599)
    expect(voice.log).not.toContain('unmute')
    vi.advanceTimersByTime(1)
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 1', 'digit 2', 'unmute'])
    expect(line.$call.get()).toMatchObject({ muted: false })
  })

  test('stays muted where its caller is, before, after and while digits leave', async () => {
    const { line, voice } = await answeredLine()
    line.setMuted(true)
    line.sendDigits('1')
    vi.advanceTimersByTime(1000)
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 1'])
    line.sendDigits('2')
    line.setMuted(false)
    expect(voice.log).not.toContain('unmute')
    vi.advanceTimersByTime(1000)
    expect(voice.log.at(-1)).toBe('unmute')
    line.sendDigits('3')
    line.setMuted(true)
    vi.advanceTimersByTime(1000)
    expect(voice.log.filter(entry => entry === 'unmute')).toHaveLength(1)
  })

  test('can be heard again when the rest is cancelled, and while the line is down', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('12345')
    line.cancelDigits()
    vi.advanceTimersByTime(300)
    expect(voice.log.at(-1)).toBe('unmute')
    line.sendDigits('678')
    voice.say({ kind: 'reconnecting', lost: 'signalling' })
    expect(voice.log.at(-1)).toBe('unmute')
    vi.advanceTimersByTime(1000)
    voice.say({ kind: 'reconnected' })
    expect(voice.log.slice(-2)).toEqual(['mute', 'digit 7'])
    vi.advanceTimersByTime(5000)
    expect(voice.log.at(-1)).toBe('unmute')
  })

  test('begins with an open microphone, whatever the call before it ended in', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('123')
    line.hangUp()
    await line.place({ callee, rate })
    voice.say({ kind: 'answered' })
    line.setMuted(true)
    expect(voice.log.at(-1)).toBe('mute')
  })

  test('plays the extension once what is pressed gets through', async () => {
    const { line, voice } = openLine()
    await line.place({ callee: { ...callee, extension: ',42' }, rate })
    voice.say({ kind: 'answered' })
    vi.advanceTimersByTime(5000)
    expect(voice.log).toHaveLength(1)
    voice.say({ kind: 'sound_passes' })
    expect(line.$digits.get()).toMatchObject({ burst: { total: 2, pauses: 1 }, sending: true })
    vi.advanceTimersByTime(5000)
    expect(voice.log.slice(1)).toEqual(['mute', 'digit 4', 'digit 2', 'unmute'])
    voice.say({ kind: 'ended', endReason: { kind: 'callee_hung_up' } })
    voice.say({ kind: 'sound_passes' })
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toHaveLength(2)
  })

  test('costs what the server says', async () => {
    const { line } = await answeredLine()
    line.price(0)
    expect(line.$call.get()).toMatchObject({ rateMicroUsd: 0 })
    line.hangUp()
    line.price(5)
    expect(line.$call.get()).toMatchObject({ state: 'ended', rateMicroUsd: 0 })
  })

  test('keeps digits while it reconnects', async () => {
    const { line, voice } = await answeredLine()
    voice.say({ kind: 'reconnecting', lost: 'signalling' })
    line.sendDigits('7')
    vi.advanceTimersByTime(2000)
    expect(voice.log).not.toContain('digit 7')
    voice.say({ kind: 'reconnected' })
    expect(voice.log).toContain('digit 7')
  })

  test('drops the digits that still wait when it ends, and the next call starts with none', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('123')
    line.hangUp()
    vi.advanceTimersByTime(2000)
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1'])
    await line.place({ callee, rate })
    expect(line.$digits.get().sent).toBe('')
  })

  test('gets a fresh token when its own runs out', async () => {
    const { voice } = await answeredLine()
    voice.say({ kind: 'token_expiring' })
    await vi.advanceTimersByTimeAsync(0)
    expect(voice.log).toContain('token t1')
  })

  test('continues when no fresh token can be had, and logs nobody out for it', async () => {
    const asked: boolean[] = []
    const { line, voice } = openLine({
      requestToken: async inCall => {
        asked.push(inCall)
        return inCall ? refused(401) : credential
      },
    })
    await line.place({ callee, rate })
    voice.say({ kind: 'answered' })
    voice.say({ kind: 'token_expiring' })
    await vi.advanceTimersByTimeAsync(0)
    expect(line.$call.get().state).toBe('open')
    expect(asked).toEqual([false, true])
  })

  test('asks for a fresh token until there is one, one request at a time, and no longer than the call', async () => {
    const answers = [refused(0), refused(503), credential]
    let asked = 0
    const { line, voice } = openLine({
      requestToken: async inCall => {
        if (!inCall) return credential
        asked += 1
        return answers.shift() ?? refused(0)
      },
    })
    await line.place({ callee, rate })
    voice.say({ kind: 'answered' })
    voice.say({ kind: 'token_expiring' })
    voice.say({ kind: 'token_expiring' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(3)
    expect(voice.log.filter(entry => entry === 'token t1')).toHaveLength(1)

    voice.say({ kind: 'token_expiring' })
    await vi.advanceTimersByTimeAsync(0)
    line.hangUp()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(4)
  })

  test('lets everything go when the other side hangs up', async () => {
    const { line, voice } = await answeredLine()
    vi.advanceTimersByTime(5000)
    voice.say({ kind: 'ended', endReason: { kind: 'callee_hung_up' } })
    expect(line.$call.get()).toMatchObject({
      state: 'ended',
      endReason: { kind: 'callee_hung_up' },
      talkedMs: 5000,
    })
    expect(voice.log.at(-1)).toBe('destroy')
  })

  test('reports an unplugged microphone, and for six seconds the next one', async () => {
    const { line, voice } = await answeredLine()
    voice.say({ kind: 'microphone', state: 'lost' })
    vi.advanceTimersByTime(60_000)
    expect(line.$call.get()).toMatchObject({ state: 'open', microphone: 'lost' })
    voice.say({ kind: 'microphone', state: 'changed' })
    vi.advanceTimersByTime(5999)
    expect(line.$call.get()).toMatchObject({ microphone: 'changed' })
    vi.advanceTimersByTime(1)
    expect(line.$call.get()).toMatchObject({ microphone: 'fine' })
  })

  test('unplugged again meanwhile, the microphone stays lost', async () => {
    const { line, voice } = await answeredLine()
    voice.say({ kind: 'microphone', state: 'changed' })
    voice.say({ kind: 'microphone', state: 'lost' })
    vi.advanceTimersByTime(60_000)
    expect(line.$call.get()).toMatchObject({ microphone: 'lost' })
  })

  test('knows whether anything is heard, and that it reconnects', async () => {
    const { line, voice } = await answeredLine()
    voice.say({ kind: 'sound', arriving: false })
    expect(line.$call.get()).toMatchObject({ state: 'open', receivingAudio: false })
    voice.say({ kind: 'reconnecting', lost: 'media' })
    expect(line.$call.get()).toMatchObject({ state: 'reconnecting', lost: 'media' })
    voice.say({ kind: 'reconnected' })
    expect(line.$call.get()).toMatchObject({ state: 'open', receivingAudio: true })
  })

  test('is hung up through the voice service', async () => {
    const { line, voice } = await answeredLine()
    line.hangUp()
    expect(voice.log).toEqual(['connect +12125550100', 'hang up', 'destroy'])
    expect(line.$call.get()).toMatchObject({ endReason: { kind: 'caller_hung_up' } })
  })

  test('cancels the digits that still wait', async () => {
    const { line, voice } = await answeredLine()
    line.sendDigits('123')
    line.cancelDigits()
    vi.advanceTimersByTime(2000)
    expect(voice.log.filter(entry => entry.startsWith('digit'))).toEqual(['digit 1'])
  })

  test("ends with the server's text when the server rejects it", async () => {
    const { line, voice } = await answeredLine()
    line.reject("You don't have enough credits to make this call")
    expect(voice.log.at(-1)).toBe('destroy')
    expect(line.$call.get()).toMatchObject({
      state: 'ended',
      endReason: { kind: 'refused', message: "You don't have enough credits to make this call" },
    })
  })

  test('says to the server that it is promised to be free, and only where it was by then', async () => {
    const { line, voice } = openLine()
    await line.place({ callee, rate: Promise.resolve(0) })
    line.hangUp()
    await line.place({ callee, rate })
    line.hangUp()
    await line.place({ callee, rate: Promise.resolve(0), testToken: async () => credential })
    line.hangUp()
    const late = Promise.withResolvers<number>()
    await line.place({ callee, rate: late.promise })
    late.resolve(0)
    await late.promise
    await Promise.resolve()
    expect(voice.lines.map(({ expectsFree = false }) => expectsFree)).toEqual([true, false, false, false])
    // What the server does not know is no longer promised.
    expect(line.$call.get()).toMatchObject({ state: 'preparing', rateMicroUsd: null })
    line.reject('Not free.', 'not_free')
    expect(line.$call.get()).toMatchObject({ endReason: { kind: 'not_free', message: 'Not free.' } })
  })

  test('gets its id from the voice service, at the ringing or at the answer', async () => {
    const { line, voice } = openLine()
    await line.place({ callee, rate })
    voice.say(rang('c1'))
    expect(line.$call.get()).toMatchObject({ state: 'ringing', callId: 'c1' })
    line.hangUp()
    await line.place({ callee, rate })
    expect(line.$call.get()).toMatchObject({ callId: null })
    voice.say(answered('c2'))
    expect(line.$call.get()).toMatchObject({ state: 'open', callId: 'c2' })
  })

  test('gets its id from the server if the voice service sends none', async () => {
    const { line, voice } = openLine()
    line.identify('c0')
    await line.place({ callee, rate })
    voice.say({ kind: 'ringing' })
    line.identify('c1')
    expect(line.$call.get()).toMatchObject({ state: 'ringing', callId: 'c1' })
    line.hangUp()
    line.identify('c2')
    expect(line.$call.get()).toMatchObject({ state: 'ended', callId: 'c1' })
  })

  test('has the name by which the voice service asks for it, and the next call another', async () => {
    const { line } = openLine()
    const placing = line.place({ callee, rate })
    expect(line.$call.get()).toMatchObject({ attemptId: null })
    await placing
    expect(line.$call.get()).toMatchObject({ state: 'preparing', attemptId: 'attempt-1' })
    line.hangUp()
    expect(line.$call.get()).toMatchObject({ state: 'ended', attemptId: 'attempt-1' })
    const again = line.place({ callee, rate })
    expect(line.$call.get()).toMatchObject({ attemptId: null })
    await again
    expect(line.$call.get()).toMatchObject({ attemptId: 'attempt-2' })
  })

  test('rings at once while its price is still being asked for, and is priced when it comes', async () => {
    const late = Promise.withResolvers<number>()
    const { line } = openLine()
    const placing = line.place({ callee, rate: late.promise })
    expect(callStatus(line.$call.get())).toBe('Ringing')
    await placing
    late.resolve(20_000)
    await vi.advanceTimersByTimeAsync(0)
    expect(line.$call.get()).toMatchObject({ rateMicroUsd: 20_000 })
  })

  test('is not touched by a late event of the call before', async () => {
    const first = scriptedVoice()
    const second = scriptedVoice()
    let voice = first
    const { line } = openLine({ loadVoice: () => voice.load() })
    await line.place({ callee, rate })
    line.hangUp()
    voice = second
    await line.place({ callee, rate })
    second.say({ kind: 'answered' })
    first.say({ kind: 'ended', endReason: { kind: 'callee_hung_up' } })
    expect(line.$call.get().state).toBe('open')
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
