import { expect, test } from 'vitest'
import { figuresText, type LineCheck, newLineCheck, verdictOf, weaknesses } from './line-check-result.ts'

const steady = { roundTripMs: 84, lossPercent: 0, jitterMs: 6 }
const fine: LineCheck = {
  microphone: 'hears',
  speaker: 'heard',
  connection: { kind: 'measured', figures: steady },
}
const over = (figures: Partial<typeof steady>): LineCheck => ({
  ...fine,
  connection: { kind: 'measured', figures: { ...steady, ...figures } },
})

test('the figures as text, never zero milliseconds for a round trip', () => {
  expect(figuresText(steady)).toBe('84 ms round trip, no loss arriving, 6 ms jitter')
  expect(figuresText({ roundTripMs: 0.2, lossPercent: 0.4, jitterMs: 0.4 })).toBe(
    '1 ms round trip, under 1% loss arriving, 0 ms jitter',
  )
  expect(figuresText({ roundTripMs: 410, lossPercent: 3, jitterMs: 48 })).toBe(
    '410 ms round trip, 3% loss arriving, 48 ms jitter',
  )
})

test('a line is weak at the limits of a call, and steady just below them', () => {
  expect(weaknesses({ roundTripMs: 399, lossPercent: 2.9, jitterMs: 29 })).toEqual([])
  expect(weaknesses({ roundTripMs: 400, lossPercent: 3, jitterMs: 30 })).toEqual([
    'round_trip',
    'loss',
    'jitter',
  ])
})

test('ready is only said when microphone, speaker and line are known to be fine', () => {
  expect(verdictOf(newLineCheck)).toEqual({ kind: 'waiting' })
  expect(verdictOf(fine)).toMatchObject({
    kind: 'ready',
    text: 'Expect a clear line, like an ordinary phone.',
  })
  expect(verdictOf({ ...fine, speaker: 'untried' })).toEqual({
    kind: 'untried',
    text: 'The line is steady. Play the tone to try your speaker.',
  })
  expect(verdictOf({ ...fine, speaker: 'failed' }).kind).toBe('untried')
  expect(verdictOf({ ...fine, microphone: 'listening' }).kind).toBe('waiting')
  expect(verdictOf({ ...fine, connection: { kind: 'failed', why: 'signed_out' } }).kind).toBe('waiting')
})

test('each fault has its sentence, and the advice comes once at the end', () => {
  expect(verdictOf({ ...over({ roundTripMs: 410 }), microphone: 'denied' })).toEqual({
    kind: 'poor',
    text:
      'You can listen, but nobody will hear you. Calls would lag by about half a second. ' +
      'A VPN that is switched on may be the reason.',
  })
  expect(verdictOf(over({ lossPercent: 12, jitterMs: 40 }))).toMatchObject({
    text: 'Words would get lost. Sound would be choppy. Move nearer the router, use a cable, or pause downloads.',
  })
  expect(verdictOf({ ...fine, speaker: 'unheard' })).toMatchObject({ text: 'You would not hear them.' })
  expect(
    verdictOf({
      ...fine,
      microphone: 'browser_unsupported',
      connection: { kind: 'failed', why: 'no_calls' },
    }),
  ).toEqual({
    kind: 'poor',
    text: "This browser can't make calls. Use Chrome, Edge, Firefox or Safari.",
  })
  expect(verdictOf({ ...fine, connection: { kind: 'failed', why: 'no_sound' } })).toMatchObject({
    kind: 'poor',
  })
  expect(verdictOf(over({ roundTripMs: 2100 }))).toMatchObject({
    text: expect.stringContaining('about 2 seconds'),
  })
})
