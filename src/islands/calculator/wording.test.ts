import { describe, expect, test } from 'vitest'
import type { Calculation } from './calculator.ts'
import { withoutFreeCall } from './free-call-promise.ts'
import { callerText, costText, rateText, remarkText, roundingText, spokenText } from './wording.ts'

const india = { isoCode: 'IN', name: 'India' }
function slip(minutes: string, microUsdPerMinute = 24_000, freeMinutes: number | null = 5): Calculation {
  const rate = { kind: 'known', microUsdPerMinute, freeMinutes, maxSurchargeMicroUsd: 0 } as const
  return { place: india, number: { kind: 'none' }, minutes, rate, asking: false }
}
const unsupported: Calculation = { ...slip('5'), rate: { kind: 'unsupported' } }
const pending: Calculation = { ...slip('5'), rate: { kind: 'pending' } }
const estimate: Calculation = { ...slip('5'), rate: { kind: 'estimate', microUsdPerMinute: 20_000 } }

test("says whose number a rate is for if the user's own number can make it higher", () => {
  const known = { kind: 'known', microUsdPerMinute: 23_000, freeMinutes: 5 } as const
  expect(callerText({ ...slip('5'), rate: { ...known, maxSurchargeMicroUsd: 266_000 } })).toBe(
    'With our number shown; your own can add up to $0.266 a minute.',
  )
  for (const calculation of [slip('5'), unsupported, pending, estimate])
    expect(callerText(calculation)).toBe('')
})

describe('the cost', () => {
  test.each([
    ['5', 24_000, '$0.12'],
    ['1', 24_000, '$0.02'],
    ['30', 24_000, '$0.72'],
    ['5', 25_000, '$0.13'],
    ['3', 5_000, '$0.02'],
    ['2.5', 20_000, '$0.05'],
    ['1.1', 850_000, '$0.94'],
    ['10000', 3_500_000, '$35,000.00'],
  ])('of %s minutes at %i micro-dollars is %s', (minutes, rate, cost) => {
    expect(costText(slip(minutes, rate))).toBe(cost)
  })

  test('is nobody’s guess without minutes or a rate', () => {
    expect(costText(slip(''))).toBe('–')
    expect(costText(unsupported)).toBe('–')
    expect(costText(pending)).toBe('…')
    expect(rateText(unsupported)).toBe('–')
    expect(rateText(slip('5'))).toBe('$0.024')
  })
})

test('charges a part of a minute in full, and the slip says so', () => {
  expect(roundingText(slip('2.5'))).toBe('2.5 minutes are charged as 3: $0.072.')
  expect(roundingText(slip('2'))).toBe('')
  expect(roundingText(slip('10000'))).toBe('The calculator goes up to 10,000 minutes.')
  expect(roundingText(slip(''))).toBe('')
  expect(roundingText({ ...unsupported, minutes: '2.5' })).toBe('')
})

test('the remark tells how long a first call is free, or what is amiss', () => {
  expect(remarkText(slip('5'))).toBe('A first call there is free for 5 minutes.')
  expect(remarkText(slip('5', 300_000, 1))).toBe('A first call there is free for 1 minute.')
  expect(remarkText(slip('5', 600_000, 0))).toBe(
    'The free first call covers rates up to $0.50, so not this one.',
  )
  expect(remarkText(slip('5', 24_000, null))).toBe('')
  expect(remarkText(withoutFreeCall(slip('5')))).toBe('')
  expect(remarkText(withoutFreeCall(slip('5', 600_000, 0)))).toBe('')
  expect(withoutFreeCall(estimate)).toBe(estimate)
  expect(remarkText(unsupported)).toBe('This destination is currently not supported.')
  expect(remarkText(estimate)).toContain('estimate')
  expect(remarkText(pending)).toBe('Looking up the rate…')
})

test('those who hear the slip hear all of it in a sentence', () => {
  expect(spokenText(slip('1'))).toBe('1 minute to India: $0.02. A first call there is free for 5 minutes.')
  expect(spokenText(slip('2.5'))).toContain(
    '2.5 minutes to India: $0.06. 2.5 minutes are charged as 3: $0.072.',
  )
  expect(spokenText(estimate)).toContain("5 minutes to India: $0.10. We couldn't get the rate")
  expect(spokenText(unsupported)).toBe('This destination is currently not supported.')
  expect(spokenText(slip(''))).toBe('')
})
