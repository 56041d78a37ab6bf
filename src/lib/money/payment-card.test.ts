import { describe, expect, test } from 'vitest'
import {
  cardBrand,
  codeFault,
  expiryFault,
  formatCardNumber,
  formatExpiry,
  numberFault,
  passesLuhn,
} from './payment-card.ts'
import { testCardBehaviour, testCards } from './test-cards.ts'

describe('a card number', () => {
  test.each([
    ['', ''],
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242424242424242', '4242 4242 4242 4242'],
    ['42424242424242429', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
  ])('%j is written %j', (digits, written) => {
    expect(formatCardNumber(digits)).toBe(written)
  })

  test('is found wrong when any one digit is, or when it is too short', () => {
    const number = '4242424242424242'
    expect(numberFault(number)).toBeNull()
    for (let at = 1; at < number.length; at += 1) {
      const wrong = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1)
      expect(passesLuhn(wrong)).toBe(false)
      expect(numberFault(wrong)).toMatch(/isn't a card number/)
    }
    expect(numberFault(number.slice(0, -1))).toMatch(/too short/)
    expect(numberFault('')).toBe('Enter the card number.')
  })

  test('of a test card is one that passes as such; no other does anything', () => {
    for (const { digits, behaviour } of testCards) {
      expect(numberFault(digits)).toBeNull()
      expect(testCardBehaviour(digits)).toBe(behaviour)
    }
    expect(testCardBehaviour('4242424200000000')).toBe('succeeds')
    expect(testCardBehaviour('4242424200000001')).toBeUndefined()
    expect(testCardBehaviour('4111111111111111')).toBeUndefined()
  })
})

test.each([
  ['0', '0'],
  ['08', '08'],
  ['082', '08 / 2'],
  ['0829', '08 / 29'],
  ['082029', '08 / 29'],
])('an expiry of %j is written %j', (digits, written) => {
  expect(formatExpiry(digits)).toBe(written)
})

test.each([
  ['', 'Enter the month and year.'],
  ['08', 'Use MM / YY.'],
  ['1329', 'Use MM / YY.'],
  ['0029', 'Use MM / YY.'],
  ['0226', 'This card has expired.'],
  ['0326', null],
  ['1276', null],
  ['0199', 'Check the year.'],
])('in March 2026 an expiry of %j is answered %j', (digits, fault) => {
  expect(expiryFault(digits, new Date(2026, 2, 31, 23, 59))).toBe(fault)
})

test('a security code has four digits on American Express and three elsewhere', () => {
  expect(codeFault('123', cardBrand('42'))).toBeNull()
  expect(codeFault('1234', cardBrand('37'))).toBeNull()
  expect(codeFault('123', cardBrand('37'))).toBe('Enter its 4 digits.')
  expect(codeFault('', cardBrand('55'))).toBe('Enter the security code.')
})
