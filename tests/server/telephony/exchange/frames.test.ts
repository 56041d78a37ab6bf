import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, parseFrame } from '#server/telephony/exchange/frames.ts'

const frame = (type: string, payload: unknown) => JSON.stringify({ type, payload, version: '1.6' })

test.each([
  ['listen', { token: 'x.y.z', browserinfo: { v: '2.18.5' }, reconnectTimeout: 0 }],
  ['register', { media: { audio: true } }],
  ['invite', { callsid: 'TJS1', sdp: 'v=0', twilio: { params: 'To=%2B12125550100' } }],
  ['invite', { callsid: 'call-1', sdp: 'v=0', reconnect: 'token', twilio: {} }],
  ['reinvite', { callsid: 'call-1', sdp: 'v=0' }],
  ['hangup', { callsid: 'call-1', message: 'bye' }],
  ['dtmf', { callsid: 'call-1', dtmf: '12w*#' }],
  ['answer', { callsid: 'call-1', sdp: 'v=0' }],
  ['reject', { callsid: 'call-1' }],
  ['message', { callsid: 'call-1', content: {}, messagetype: 'x', voiceeventsid: 'KX1' }],
])('understands %s', (type, payload) => {
  expect(parseFrame(frame(type, payload))).toMatchObject({ kind: 'frame', frame: { type } })
})

test.each([
  ['not JSON', '{'],
  ['no object', '"listen"'],
  ['null', 'null'],
  ['no type', '{}'],
  ['no payload', '{"type":"listen"}'],
  ['a token that is no text', frame('listen', { token: 5 })],
  ['an invite without an offer', frame('invite', { callsid: 'TJS1' })],
  ['an answer without its SDP', frame('answer', { callsid: 'call-1' })],
  ['a call id without end', frame('hangup', { callsid: 'x'.repeat(65) })],
  ['digits that are none', frame('dtmf', { callsid: 'call-1', dtmf: '12a' })],
  ['no digits', frame('dtmf', { callsid: 'call-1', dtmf: '' })],
  ['too many digits', frame('dtmf', { callsid: 'call-1', dtmf: '1'.repeat(5001) })],
])('calls %s malformed', (_, text) => {
  expect(parseFrame(text)).toEqual({ kind: 'malformed' })
})

test('passes over a type that a later client may send', () => {
  expect(parseFrame(frame('presence', { a: 1 }))).toEqual({ kind: 'unknown', type: 'presence' })
})

test('never throws, whatever arrives', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), text => {
      parseFrame(text)
    }),
    { seed: 20_260_301, numRuns: 500 },
  )
})

test('writes the version that the client speaks', () => {
  expect(JSON.parse(encodeFrame({ type: 'ready', payload: {} }))).toEqual({
    type: 'ready',
    payload: {},
    version: '1.6',
  })
})
