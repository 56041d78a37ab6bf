import { describe, expect, test } from 'vitest'
import { outcomeOf, reachedLimit, refineHangUp } from './call-end.ts'

describe('what is stored of an end', () => {
  test.each([
    ['hung_up', 'completed', 'cancelled'],
    ['caller_hung_up', 'completed', 'cancelled'],
    ['callee_hung_up', 'completed', 'declined'],
    ['server_stopping', 'interrupted', 'interrupted'],
    ['blocked', 'failed', 'failed'],
    ['service_failed', 'failed', 'failed'],
    ['limit', 'limit', 'limit'],
    ['connection_lost', 'connection_lost', 'connection_lost'],
  ] as const)('%s is %s after an answer, %s before one', (cause, answered, unanswered) => {
    expect([outcomeOf(cause, true), outcomeOf(cause, false)]).toEqual([answered, unanswered])
  })

  test.each(['no_answer', 'busy', 'declined', 'cancelled', 'invalid_number', 'failed'] as const)(
    '%s is stored as it is',
    cause => {
      expect(outcomeOf(cause, false)).toBe(cause)
    },
  )
})

describe('a hang-up by nobody knows whom', () => {
  const talked = { requested: null, answeredMs: 30_000, limitMs: 60_000 } as const

  test.each([
    ['no_credits', 'limit'],
    ['call_blocked', 'blocked'],
    ['already_settled', 'server_stopping'],
  ] as const)('was asked for: %s', (requested, cause) => {
    expect(refineHangUp('hung_up', { ...talked, requested })).toBe(cause)
    expect(refineHangUp('cancelled', { ...talked, answeredMs: null, requested })).toBe(cause)
  })

  test('was the limit, if it was reached, to the second', () => {
    const { limitMs } = talked
    expect(refineHangUp('hung_up', { ...talked, answeredMs: 59_000 })).toBe('limit')
    expect(refineHangUp('hung_up', { ...talked, answeredMs: 58_999 })).toBe('hung_up')
    expect(refineHangUp('hung_up', { ...talked, requested: 'limit' })).toBe('hung_up')
    expect([reachedLimit(limitMs, limitMs), reachedLimit(null, limitMs)]).toEqual([true, false])
  })

  test('is left alone where the network says who it was', () => {
    expect(refineHangUp('callee_hung_up', { ...talked, requested: 'call_blocked' })).toBe('callee_hung_up')
  })
})
