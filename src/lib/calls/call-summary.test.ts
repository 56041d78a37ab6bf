import { describe, expect, test } from 'vitest'
import { exampleRecord as record } from '#support/example-call.ts'
import { callSummary } from './call-summary.ts'
import { formatLength, formatTimer } from './duration.ts'
import { endReasonText } from './end-reasons.ts'

const free = { ...record, free: true, cost: 0, minutesCharged: 0 }
const unanswered = { ...record, answeredAt: null, seconds: 0, cost: 0, minutesCharged: 0 }

describe('the line after a call', () => {
  test('says who hung up, how long it was and what it cost', () => {
    expect(callSummary(record, { kind: 'caller_hung_up' })).toBe('You hung up. Talked 0:12, charged $0.02.')
    expect(callSummary({ ...record, seconds: 267, cost: 0.12 }, { kind: 'callee_hung_up' })).toBe(
      'They hung up. Talked 4:27, charged $0.12.',
    )
  })

  test('says what came back, all of it or a part', () => {
    expect(callSummary({ ...record, credited: 0.02 }, { kind: 'callee_hung_up' })).toBe(
      'They hung up. Talked 0:12, charged $0.02, refunded.',
    )
    expect(callSummary({ ...record, cost: 1.02, credited: 1 }, { kind: 'callee_hung_up' })).toBe(
      'They hung up. Talked 0:12, charged $1.02, $1.00 back.',
    )
  })

  test('hides no part of a charge', () => {
    expect(callSummary({ ...record, cost: 0.0184 }, { kind: 'caller_hung_up' })).toContain('charged $0.0184.')
  })

  test('says of a call that cost nothing whether it was the free one', () => {
    expect(callSummary(free, { kind: 'caller_hung_up' })).toBe('You hung up. Talked 0:12, free call.')
    expect(callSummary({ ...record, cost: 0 }, { kind: 'caller_hung_up' })).toBe(
      'You hung up. Talked 0:12, nothing charged.',
    )
  })

  test('tells a limit from a hang-up', () => {
    const limit = { ...record, outcome: 'limit' as const }
    expect(callSummary(limit, { kind: 'callee_hung_up' })).toMatch(/^Your credits ran out\./)
    expect(callSummary({ ...free, outcome: 'limit' }, { kind: 'callee_hung_up' })).toBe(
      'Your free call is over. Talked 0:12, nothing charged.',
    )
  })

  test('names the cap that ended a call, and a test call', () => {
    const limit = { ...record, outcome: 'limit' as const }
    expect(callSummary({ ...limit, cap: 'call' }, { kind: 'callee_hung_up' })).toBe(
      'You reached your limit per call. Talked 0:12, charged $0.02.',
    )
    expect(callSummary({ ...limit, cap: 'month' }, { kind: 'callee_hung_up' })).toMatch(
      /^You reached your monthly limit\./,
    )
    const hour = { ...limit, cap: 'longest' as const, seconds: 3600, cost: 1.2 }
    expect(callSummary(hour, { kind: 'callee_hung_up' })).toBe(
      'Calls end after 60 minutes. Call again. Talked 1:00:00, charged $1.20.',
    )
    const test = { ...free, purpose: 'test' as const }
    expect(callSummary(test, { kind: 'caller_hung_up' })).toBe('You hung up. Talked 0:12, free test call.')
    expect(callSummary({ ...test, outcome: 'limit' }, { kind: 'callee_hung_up' })).toBe(
      'The test call is over. Talked 0:12, nothing charged.',
    )
  })

  test('owns up to a restart of the service', () => {
    const restart = { kind: 'service_restarted' } as const
    const outcome = 'interrupted'
    expect(callSummary({ ...record, outcome }, restart)).toBe(
      'Cut off: our service restarted. Talked 0:12, charged $0.02.',
    )
    const refunded = { ...record, outcome, credited: 0.02 } as const
    expect(callSummary(refunded, restart)).toBe(
      'We restarted during your call. Talked 0:12. We refunded $0.02.',
    )
    expect(callSummary({ ...refunded, cost: 240.3456, credited: 1 }, restart)).toBe(
      'We restarted during your call. Charged $240.3456, refunded $1.00.',
    )
    expect(callSummary({ ...free, outcome }, restart)).toBe(
      'Cut off: our service restarted. Talked 0:12, free call.',
    )
    expect(callSummary({ ...unanswered, outcome }, restart)).toBe(
      'Cut off: our service restarted. Nothing was charged.',
    )
  })

  test('does not blame the service for a line lost on this side', () => {
    const cut = { ...record, outcome: 'connection_lost' as const }
    expect(callSummary(cut, { kind: 'media_failed' })).toBe(
      'Cut off: the connection was lost. Talked 0:12, charged $0.02.',
    )
  })

  test('whoever hung up on a dead line was not cut off, though the server never heard of it', () => {
    const unheard = { ...record, outcome: 'connection_lost' as const }
    expect(callSummary(unheard, { kind: 'caller_hung_up' })).toBe('You hung up. Talked 0:12, charged $0.02.')
  })

  test('says that a line was lost when nobody hung up', () => {
    expect(callSummary(record, { kind: 'connection_lost' })).toMatch(/^Cut off: the connection was lost\./)
  })

  test('takes the reason of an unanswered call from the page, or else from the record', () => {
    expect(callSummary({ ...unanswered, outcome: 'failed' }, { kind: 'busy' })).toBe(
      endReasonText({ kind: 'busy' }),
    )
    expect(callSummary({ ...unanswered, outcome: 'failed' }, { kind: 'service_failed' })).toBe(
      "We couldn't start the call. Please try again. Nothing was charged.",
    )
    expect(callSummary({ ...unanswered, outcome: 'busy' }, { kind: 'connection_lost' })).toBe(
      endReasonText({ kind: 'busy' }),
    )
    expect(callSummary({ ...unanswered, outcome: 'no_answer' }, { kind: 'unavailable' })).toBe(
      endReasonText({ kind: 'no_answer' }),
    )
    expect(callSummary({ ...unanswered, outcome: 'invalid_number' }, { kind: 'connection_lost' })).toBe(
      'Unrecognised number. Please check the number and try again.',
    )
  })

  test.each([
    ['busy', 'busy'],
    ['declined', 'declined'],
    ['invalid_number', 'unrecognised_number'],
    ['failed', 'failed'],
    ['no_answer', 'no_answer'],
    // The caller would know.
    ['cancelled', 'no_answer'],
  ] as const)('where the page saw no more than the end, %s is told from the record', (outcome, kind) => {
    expect(callSummary({ ...unanswered, outcome }, { kind: 'no_answer' })).toBe(endReasonText({ kind }))
  })
})

test('a timer shows minutes and seconds, and hours when there are any', () => {
  expect([0, 999, 1000, 267_400, 3_723_000, -5].map(formatTimer)).toEqual([
    '00:00',
    '00:00',
    '00:01',
    '04:27',
    '1:02:03',
    '00:00',
  ])
})

test('a length drops the leading zero', () => {
  expect([0, 12, 267, 754, 3723].map(formatLength)).toEqual(['0:00', '0:12', '4:27', '12:34', '1:02:03'])
})
