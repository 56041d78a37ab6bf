import { describe, expect, test } from 'vitest'
import { keyTone } from '#lib/calls/dtmf.ts'
import { type Handset, type HandsetEvent, onHook, stepHandset } from './handset-call.ts'

const play = (...events: HandsetEvent[]): Handset => events.reduce(stepHandset, onHook)

const claimed: readonly HandsetEvent[] = [
  { kind: 'claim_begun' },
  { kind: 'claim_granted', number: '+919876543210' },
  { kind: 'registered' },
]
const ringing: readonly HandsetEvent[] = [...claimed, { kind: 'rang', from: '+447700900142' }]
const talking: readonly HandsetEvent[] = [...ringing, { kind: 'answered', atMs: 1_000 }]

describe('a telephone at the far end', () => {
  test('waits for calls only once its number has been granted and registered', () => {
    expect(play({ kind: 'claim_begun' }, { kind: 'registered' }).state).toBe('claiming')
    expect(play(...claimed.slice(0, 2)).state).toBe('claiming')
    expect(play(...claimed)).toEqual({
      state: 'waiting',
      number: '+919876543210',
      reachable: true,
      last: null,
    })
  })

  test('says why a number was rejected, until another is asked for', () => {
    const refused = play({ kind: 'claim_begun' }, { kind: 'claim_refused', rejection: 'taken' })
    expect(refused).toEqual({ state: 'on_hook', rejection: 'taken' })
    expect(stepHandset(refused, { kind: 'claim_begun' }).state).toBe('claiming')
  })

  test('rings with the caller ID, and keeps ringing when it could not be answered', () => {
    const failed = play(
      ...ringing,
      { kind: 'answering' },
      { kind: 'answer_failed', fault: 'microphone_denied' },
    )
    expect(failed).toMatchObject({
      state: 'ringing',
      from: '+447700900142',
      answering: false,
      fault: 'microphone_denied',
    })
    expect(stepHandset(failed, { kind: 'answering' })).toMatchObject({ answering: true, fault: null })
  })

  test('collects the digits that the caller sends, in order', () => {
    const handset = play(
      ...talking,
      { kind: 'digits', digits: '4', from: 0 },
      { kind: 'digits', digits: '8*', from: 1 },
    )
    expect(handset).toMatchObject({ state: 'talking', digits: '48*', from: '+447700900142' })
    const sameDigits = stepHandset(handset, { kind: 'digits', digits: '48*2', from: 0 })
    expect(sameDigits).toMatchObject({ digits: '48*2' })
  })

  test('counts the talk from the answer, and is ready for the next call', () => {
    const after = play(...talking, { kind: 'ended', ending: 'they_hung_up', atMs: 73_000 })
    expect(after).toMatchObject({
      state: 'waiting',
      last: { ending: 'they_hung_up', from: '+447700900142', talkedMs: 72_000 },
    })
    expect(stepHandset(after, { kind: 'rang', from: null })).toMatchObject({ state: 'ringing', from: null })
  })

  test('a call that was never answered has no length', () => {
    expect(play(...ringing, { kind: 'ended', ending: 'gave_up', atMs: 9_000 })).toMatchObject({
      state: 'waiting',
      last: { ending: 'gave_up', talkedMs: null },
    })
  })

  test('knows of a lost line in a call until it is back', () => {
    const lost = play(...talking, { kind: 'reconnecting', lost: 'signalling' })
    expect(lost).toMatchObject({ state: 'talking', lost: 'signalling' })
    expect(stepHandset(lost, { kind: 'reconnected' })).toMatchObject({ state: 'talking', lost: null })
  })

  test('being out of reach is remembered through a call', () => {
    const handset = play(
      ...talking,
      { kind: 'unreachable' },
      { kind: 'ended', ending: 'line_lost', atMs: 2_000 },
    )
    expect(handset).toMatchObject({ state: 'waiting', reachable: false })
    expect(stepHandset(handset, { kind: 'registered' })).toMatchObject({ reachable: true })
  })

  test('loses its number only while no call is in progress', () => {
    expect(play(...claimed, { kind: 'claim_lost', why: 'taken' })).toEqual({
      state: 'lost',
      number: '+919876543210',
      why: 'taken',
    })
    expect(play(...talking, { kind: 'claim_lost', why: 'taken' }).state).toBe('talking')
  })

  const events: readonly HandsetEvent[] = [
    { kind: 'claim_granted', number: '+12125550100' },
    { kind: 'claim_refused', rejection: 'taken' },
    { kind: 'rang', from: null },
    { kind: 'answering' },
    { kind: 'answer_failed', fault: 'microphone_denied' },
    { kind: 'answered', atMs: 0 },
    { kind: 'digits', digits: '1', from: 0 },
    { kind: 'muted', muted: true },
    { kind: 'reconnecting', lost: 'media' },
    { kind: 'reconnected' },
    { kind: 'ended', ending: 'hung_up', atMs: 0 },
    { kind: 'registered' },
    { kind: 'unreachable' },
    { kind: 'claim_lost', why: 'taken' },
    { kind: 'released' },
  ]
  test.each(events)('on the hook, $kind changes nothing', event => {
    expect(stepHandset(onHook, event)).toBe(onHook)
  })
})

describe('the tones of a keypad', () => {
  test.each([
    ['1', [697, 1209]],
    ['6', [770, 1477]],
    ['0', [941, 1336]],
    ['*', [941, 1209]],
    ['#', [941, 1477]],
  ])('%s sounds as ITU-T Q.23 has it', (key, tones) => {
    expect(keyTone(key)).toEqual(tones)
  })

  test('twelve keys sound, each in its own way', () => {
    expect(new Set([...'0123456789*#'].map(key => keyTone(key).join())).size).toBe(12)
  })

  test.each(['', 'a', '12', '+'])('%j is no key', text => {
    expect(keyTone(text)).toEqual([])
  })
})
