import { expect, test } from 'vitest'
import { causeOfRejection, movesOn, outcomeOfRejection } from './failover.ts'

const carrierSaid = (code: number) => ({ code, edge: undefined, rang: false })

test.each([404, 410, 484, 486, 600, 603, 604, 487])(
  '%s speaks of the callee: no other carrier is tried',
  code => {
    expect(movesOn(carrierSaid(code), [403, 408, 480])).toBe(false)
  },
)

test.each([500, 502, 503, 504])('%s is the carrier’s own failure', code => {
  expect(movesOn(carrierSaid(code), [])).toBe(true)
})

test.each([403, 408, 480])(
  '%s moves a call only away from a carrier that documents it as its own failure',
  code => {
    expect(movesOn(carrierSaid(code), [])).toBe(false)
    expect(movesOn(carrierSaid(code), [code])).toBe(true)
  },
)

test.each(['unreachable', 'timeout', 'full', 'no_record', 'edge_down'] as const)(
  'a call that the edge did not place (%s) moves on',
  edge => {
    expect(movesOn({ code: 503, edge, rang: false }, [])).toBe(true)
  },
)

test('no telephone rings twice', () => {
  // The carrier may have the call: only its answers were lost.
  expect(movesOn({ code: 408, edge: 'lost', rang: false }, [408])).toBe(false)
  expect(movesOn({ code: 503, edge: undefined, rang: true }, [])).toBe(false)
  expect(movesOn({ code: 504, edge: 'timeout', rang: true }, [])).toBe(false)
})

test.each([
  [carrierSaid(503), 'failed'],
  [carrierSaid(480), 'failed'],
  [carrierSaid(486), 'unanswered'],
  [{ ...carrierSaid(503), rang: true }, 'unanswered'],
  [{ ...carrierSaid(503), edge: 'unreachable' }, 'failed'],
  [{ ...carrierSaid(503), edge: 'timeout' }, 'failed'],
  [{ ...carrierSaid(503), edge: 'full' }, 'not_placed'],
  [{ ...carrierSaid(503), edge: 'no_record' }, 'not_placed'],
  [{ ...carrierSaid(503), edge: 'edge_down' }, 'not_placed'],
  [{ ...carrierSaid(408), edge: 'lost' }, 'not_placed'],
] as const)('%o is held against the carrier, or not: %s', (rejection, outcome) => {
  expect(outcomeOfRejection(rejection, [480])).toBe(outcome)
})

test.each([
  [486, 'busy'],
  [600, 'busy'],
  [603, 'declined'],
  [404, 'invalid_number'],
  [480, 'no_answer'],
  [503, 'failed'],
] as const)('%s means %s to the caller', (code, cause) => {
  expect(causeOfRejection(carrierSaid(code))).toBe(cause)
})

test.each([
  ['full', 'failed'],
  ['unreachable', 'failed'],
  ['timeout', 'failed'],
  ['no_record', 'service_failed'],
  ['edge_down', 'service_failed'],
  ['lost', 'service_failed'],
] as const)('a call that the edge did not place (%s) has %s', (edge, cause) => {
  expect(causeOfRejection({ code: 503, edge, rang: false })).toBe(cause)
})
