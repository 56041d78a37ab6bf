import { expect, test } from 'vitest'
import { type CallRecord, callBound, callOutcome } from '../api/calls.ts'
import { outcomeLabel, outcomeSentence } from './outcomes.ts'

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

test('every way a call can end has words of its own', () => {
  const texts = callOutcome.options.map(outcome => outcomeLabel(call(1, 11, { outcome })))
  expect(new Set(texts).size).toBe(callOutcome.options.length)
})

test('every way a call can end has a sentence of its own on its receipt, also when it was cut off after an answer', () => {
  const reasons = callOutcome.options.map(outcome => outcomeSentence(call(1, 11, { outcome })))
  expect(new Set(reasons).size).toBe(callOutcome.options.length)
  expect(outcomeSentence(call(1, 11, { outcome: 'failed', answeredAt: null }))).toBe(
    "The call couldn't be connected.",
  )
  expect(outcomeSentence(call(1, 11, { outcome: 'failed' }))).toBe('Calls from your account were stopped.')
})

test('a free call that reached its limit is not said to have run out of credit', () => {
  expect(outcomeLabel(call(1, 11, { outcome: 'limit', free: true }))).toBe('Free call used up')
  expect(outcomeLabel(call(1, 11, { outcome: 'limit' }))).toBe('Credits ran out')
})

test('each limit has words and a sentence of its own', () => {
  const limits: readonly Partial<CallRecord>[] = [
    ...callBound.options.map(cap => ({ cap })),
    { purpose: 'test', free: true },
    { free: true },
    {},
  ]
  const ended = limits.map(fields => call(1, 11, { ...fields, outcome: 'limit' }))
  expect(new Set(ended.map(outcomeLabel)).size).toBe(limits.length)
  expect(new Set(ended.map(outcomeSentence)).size).toBe(limits.length)
})

test.each([
  ['call', 'Limit per call reached', 'You reached your limit per call.'],
  ['month', 'Monthly limit reached', 'You reached your monthly limit.'],
  ['new_customer', 'New account limit reached', 'You reached the limit for new accounts.'],
  ['longest', 'Time limit reached', 'Calls end after 60 minutes. Call again.'],
] as const)('the limit %s is told as: %s', (cap, label, sentence) => {
  const ended = call(1, 11, { outcome: 'limit', cap, seconds: 3600 })
  expect([outcomeLabel(ended), outcomeSentence(ended)]).toEqual([label, sentence])
})

test('a call in progress says how far it is', () => {
  expect(outcomeLabel(call(1, 11, { state: 'ringing', outcome: null }))).toBe('Ringing')
  expect(outcomeLabel(call(1, 11, { state: 'answered', outcome: null }))).toBe('In Call')
  expect(outcomeSentence(call(1, 11, { state: 'answered', outcome: null }))).toBe('In progress.')
})
