import { describe, expect, test } from 'vitest'
import { chosenUsd, customAmountFault, isPayable, linkedAmount } from './credit-amounts.ts'

describe('a custom amount, while it is typed', () => {
  test.each(['', '0', '1', '4', '5', '12', '4000', '007'])('%j is fine so far', text => {
    expect(customAmountFault(text)).toBeNull()
  })

  test.each([
    ['-1', 'negative'],
    ['-0.5', 'negative'],
    ['4001', 'too_much'],
    ['99999', 'too_much'],
    ['4000.5', 'too_much'],
    ['12.5', 'not_whole'],
    ['ten', 'not_whole'],
  ])('%j is %s', (text, fault) => {
    expect(customAmountFault(text)).toBe(fault)
  })
})

test('an empty custom amount is no choice; one that is too small is one', () => {
  expect(chosenUsd({ kind: 'custom', text: '' })).toBeNull()
  expect(chosenUsd({ kind: 'custom', text: '3' })).toBe(3)
  expect(chosenUsd({ kind: 'preset', usd: 50 })).toBe(50)
})

test('5 to 4000 whole dollars can be paid', () => {
  expect([5, 4000].every(isPayable)).toBe(true)
  expect([null, 4, 4001, 5.5, Number.NaN].some(isPayable)).toBe(false)
})

describe('the amount of a link', () => {
  test.each([10, 25, 50, 100])('%i is a tile', usd => {
    expect(linkedAmount(String(usd))).toEqual({ kind: 'preset', usd })
  })

  test.each(['5', '37', '4000'])('%s is a custom amount', text => {
    expect(linkedAmount(text)).toEqual({ kind: 'custom', text })
  })

  test.each([null, '', '4', '4001', '-25', '25.0', '1e2', '0x19', ' 25', 'lots', '٢٥'])(
    '%j is ignored',
    text => {
      expect(linkedAmount(text)).toBeNull()
    },
  )
})
