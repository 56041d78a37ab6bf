import { expect, test } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import {
  combinedNumber,
  keepDigits,
  mayGoOn,
  stepAfter,
  stepBefore,
  stepNumber,
  type Tutorial,
  type TutorialStep,
  tutorialSteps,
} from './tutorial.ts'

const at = (step: TutorialStep, phoneNumber = ''): Tutorial => ({
  step,
  country: defaultCountry,
  phoneNumber,
})

test('there are four steps, counted from 1', () => {
  expect(tutorialSteps.map(stepNumber)).toEqual([1, 2, 3, 4])
})

test('Next and Back walk through them and stop at the ends', () => {
  expect(tutorialSteps.map(step => stepAfter(at(step, '2125550')))).toEqual([
    'country',
    'number',
    'confirmation',
    undefined,
  ])
  expect(tutorialSteps.map(step => stepBefore(at(step)))).toEqual([undefined, 'welcome', 'country', 'number'])
})

test.each([
  ['', false],
  ['212555', false],
  ['2125550', true],
])('the number step lets %j on: %j', (phoneNumber, allowed) => {
  expect(mayGoOn(at('number', phoneNumber))).toBe(allowed)
  expect(stepAfter(at('number', phoneNumber))).toBe(allowed ? 'confirmation' : undefined)
})

test('the other steps have no condition', () => {
  for (const step of ['welcome', 'country', 'confirmation'] as const) expect(mayGoOn(at(step))).toBe(true)
})

test.each([
  ['(212) 555-0100', '2125550100'],
  ['+1 212 555 0100', '12125550100'],
  ['٠١٢ abc', '012'],
  ['', ''],
  ['1'.repeat(40), '1'.repeat(32)],
])('of %j the field keeps %j', (text, kept) => {
  expect(keepDigits(text)).toBe(kept)
})

test('the full number is what the dialler will dial, and the plain rule where no plan knows the number', () => {
  const combine = (isoCode: string, phoneNumber: string) => {
    const country = countryOfIso(isoCode) ?? defaultCountry
    return combinedNumber({ country, phoneNumber }, parseNumber(phoneNumber, country))
  }
  expect(combine('IN', '9876543210')).toBe('+91 98765 43210')
  expect(combine('GB', '02079460958')).toBe('+44 20 7946 0958')
  expect(combine('GB', '0012')).toBe('+44 12')
  expect(combinedNumber(at('number', '00755'), null)).toBe('+1 755')
  expect(combinedNumber(at('number'), null)).toBe('+1')
})
