import { expect, test } from 'vitest'
import { outcomeText, whyCallEnded } from '#shared/calls/call-outcome.ts'
import { type CallRecord, callOutcome } from './calls.ts'

function call(day: number, month: number, fields: Partial<CallRecord> = {}): CallRecord {
  const placedAt = new Date(2025, month - 1, day).toISOString()
  return {
    id: placedAt,
    to: '+12125550100',
    isoCode: 'US',
    state: 'ended',
    placedAt,
    answeredAt: placedAt,
    endedAt: placedAt,
    seconds: 61,
    ratePerMinute: 0.0184,
    minutesCharged: 2,
    cost: 0.0368,
    free: false,
    outcome: 'completed',
    ...fields,
  }
}

test('every way a call can end has a text of its own', () => {
  const texts = callOutcome.options.map(outcome => outcomeText(call(1, 11, { outcome })))
  expect(new Set(texts).size).toBe(callOutcome.options.length)
})

test('every way a call can end has a sentence of its own on its receipt, also when it was cut off after an answer', () => {
  const reasons = callOutcome.options.map(outcome => whyCallEnded(call(1, 11, { outcome })))
  expect(new Set(reasons).size).toBe(callOutcome.options.length)
  expect(whyCallEnded(call(1, 11, { outcome: 'failed', answeredAt: null }))).toBe(
    'It could not be connected.',
  )
  expect(whyCallEnded(call(1, 11, { outcome: 'failed' }))).toBe('Calls from your account were stopped.')
})

test('a free call that reached its limit is not said to have run out of credit', () => {
  expect(outcomeText(call(1, 11, { outcome: 'limit', free: true }))).toBe('Free call used up')
  expect(outcomeText(call(1, 11, { outcome: 'limit' }))).toBe('Credit ran out')
})

test('a call in progress says how far it is', () => {
  expect(outcomeText(call(1, 11, { state: 'ringing', outcome: null }))).toBe('Ringing')
  expect(outcomeText(call(1, 11, { state: 'answered', outcome: null }))).toBe('In Call')
})
