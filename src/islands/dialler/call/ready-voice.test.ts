import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callee, credential, openLine, rate, refused, scriptedVoice } from '#support/scripted-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A line that counts the tokens it requests. */
function countingLine(answers: readonly (typeof credential | ReturnType<typeof refused>)[] = []) {
  const requests: boolean[] = []
  const left = [...answers]
  const voice = scriptedVoice()
  const all = openLine({
    requestToken: async quiet => {
      requests.push(quiet)
      return left.shift() ?? credential
    },
    loadVoice: voice.load,
  })
  return { ...all, voice, requests }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

test('a prepared call is placed on the waiting client, without another token', async () => {
  const { line, voice, requests } = countingLine()
  line.prepare()
  line.prepare()
  await settled()
  expect(requests).toEqual([true])
  await line.place({ callee, rate })
  expect(voice.log).toEqual([`connect ${callee.e164}`])
  voice.say({ kind: 'ringing' })
  expect(line.$call.get()).toMatchObject({ state: 'ringing', attemptId: 'attempt-1' })
  expect(requests).toEqual([true])
})

test('a press during the preparation waits for it', async () => {
  const { line, voice, requests } = countingLine()
  line.prepare()
  await line.place({ callee, rate })
  expect(voice.log).toEqual([`connect ${callee.e164}`])
  expect(requests).toEqual([true])
})

test('a client that waited while the device slept is closed and replaced', async () => {
  const { line, voice, requests } = countingLine()
  line.prepare()
  await settled()
  // The time has passed, and no timer has run.
  vi.setSystemTime(Date.now() + 10_000)
  await line.place({ callee, rate })
  expect(voice.log).toEqual(['destroy', `connect ${callee.e164}`])
  expect(requests).toEqual([true, false])
})

test('without a call the client is closed after two minutes, not before', async () => {
  const { line, voice } = countingLine()
  line.prepare()
  await vi.advanceTimersByTimeAsync(119_000)
  expect(voice.log).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(voice.log).toEqual(['destroy'])
})

test('after a sleep the client is closed before the next press, too', async () => {
  const { line, voice } = countingLine()
  line.prepare()
  await settled()
  vi.setSystemTime(Date.now() + 10_000)
  await vi.advanceTimersByTimeAsync(5000)
  expect(voice.log).toEqual(['destroy'])
})

test('a client that lost its connection is replaced', async () => {
  const { line, voice, requests } = countingLine()
  line.prepare()
  await settled()
  voice.lost = true
  await line.place({ callee, rate })
  expect(voice.log).toEqual(['destroy', `connect ${callee.e164}`])
  expect(requests).toEqual([true, false])
})

test('a client that ends or needs a token before its call is closed', async () => {
  const { line, voice } = countingLine()
  line.prepare()
  await settled()
  voice.say({ kind: 'token_expiring' })
  await settled()
  expect(voice.log).toEqual(['destroy'])
  expect(line.$call.get().state).toBe('idle')
})

test('a rejected preparation says nothing; the call asks again and says why', async () => {
  const { line, voice, requests } = countingLine([refused(402), refused(402)])
  line.prepare()
  await settled()
  expect(line.$call.get().state).toBe('idle')
  await line.place({ callee, rate })
  expect(line.$call.get()).toMatchObject({ state: 'ended', endReason: { kind: 'no_credits' } })
  expect(requests).toEqual([true, false])
  expect(voice.log).toEqual([])
})

test('nothing is prepared during a call, and a user who signs out closes what was prepared', async () => {
  const { line, voice, requests } = countingLine()
  await line.place({ callee, rate })
  line.prepare()
  expect(requests).toEqual([false])
  line.hangUp()
  line.prepare()
  await settled()
  line.discardPrepared()
  await settled()
  expect(voice.log.at(-1)).toBe('destroy')
  expect(requests).toEqual([false, true])
})

test('a test call has a token and a client of its own', async () => {
  const { line, voice, requests } = countingLine()
  line.prepare()
  await settled()
  await line.place({ callee, rate, testToken: async () => credential })
  expect(voice.lines).toEqual([expect.objectContaining({ test: true })])
  expect(requests).toEqual([true])
})
