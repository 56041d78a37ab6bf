import { expect, test } from 'vitest'
import { type CallRecord, callOutcome } from '#lib/api/calls.ts'
import { outcomeText } from '#lib/rules/call-outcome.ts'
import { monthTotals } from '#lib/rules/call-totals.ts'

const now = new Date(2025, 10, 20, 12)

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

test('adds up the time talked and the cost of this month, to the micro-dollar', () => {
  const calls = [call(20, 11), call(1, 11, { seconds: 0, cost: 0 }), call(31, 10)]
  expect(monthTotals(calls, false, now)).toEqual({ talkedSeconds: 61, costMicroUsd: 36_800 })
})

test('gives no total while calls of this month may be missing', () => {
  expect(monthTotals([call(20, 11), call(19, 11)], false, now)).toBeNull()
  expect(monthTotals([call(20, 11), call(19, 11)], true, now)).toEqual({
    talkedSeconds: 122,
    costMicroUsd: 73_600,
  })
})

test('every way a call can end has words of its own', () => {
  const texts = callOutcome.options.map(outcome => outcomeText(call(1, 11, { outcome })))
  expect(new Set(texts).size).toBe(callOutcome.options.length)
})

test('a free call that reached its limit is not said to have run out of credit', () => {
  expect(outcomeText(call(1, 11, { outcome: 'limit', free: true }))).toBe('Free call used up')
  expect(outcomeText(call(1, 11, { outcome: 'limit' }))).toBe('Credit ran out')
})

test('a call in progress says how far it is', () => {
  expect(outcomeText(call(1, 11, { state: 'ringing', outcome: null }))).toBe('Ringing')
  expect(outcomeText(call(1, 11, { state: 'answered', outcome: null }))).toBe('In Call')
})
