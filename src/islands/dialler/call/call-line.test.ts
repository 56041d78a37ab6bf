import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  answeredLine,
  callee,
  credential,
  openLine,
  rate,
  refused,
  scriptedVoice,
} from '#support/scripted-line.ts'
import { callStatus } from '#voice/call.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** What a voice service says that names its calls as the server does. */
const rang = (callId: string) => ({ kind: 'ringing', callId }) as const
const answered = (callId: string) => ({ kind: 'answered', callId }) as const

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

  test('costs what the server says', async () => {
    const { line } = await answeredLine()
    line.price(0)
    expect(line.$call.get()).toMatchObject({ rateMicroUsd: 0 })
    line.hangUp()
    line.price(5)
    expect(line.$call.get()).toMatchObject({ state: 'ended', rateMicroUsd: 0 })
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
    expect(callStatus(line.$call.get())).toBe('ringing')
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
