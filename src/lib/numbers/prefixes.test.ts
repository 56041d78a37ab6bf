import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'
import { isRiskyNumber, riskyPrefixes } from '#shared/numbers/risky-numbers.ts'
import { parseTariff } from '../money/tariff.ts'
import { countries } from './countries.ts'
import { asksPriceConfirmation } from './prefixes.ts'

describe('the caution', () => {
  test('has the text of SPEC-5.5', () => {
    expect(cautionTexts.risky).toBe('Caution: This number may be blocked or fail to connect.')
  })

  test.each([
    '+18765550133',
    '+18095551234',
    '+12425550123',
    '+17875551234',
    '+5352345678',
    '+50934101234',
    '+25261234567',
  ])('is shown for %s', e164 => {
    expect(isRiskyNumber(e164)).toBe(true)
  })

  test.each([
    '+12125550100',
    '+14165550123',
    '+52555550119',
    '+5511961234567',
    '+2348021234567',
    '+79123456789',
    '+923012345678',
    '+1',
  ])('is not shown for %s', e164 => {
    expect(isRiskyNumber(e164)).toBe(false)
  })

  test('is shown all over the Caribbean, whose dial codes begin with +1', () => {
    const islands = countries.filter(({ dialCode }) => /^\+1\d{3}$/.test(dialCode))
    expect(islands.length).toBeGreaterThan(20)
    for (const { dialCode } of islands) expect(isRiskyNumber(`${dialCode}5550123`), dialCode).toBe(true)
    for (const second of ['+16585550123', '+17215550123']) expect(isRiskyNumber(second)).toBe(true)
  })

  test('knows each prefix once', () => {
    expect(new Set(riskyPrefixes).size).toBe(riskyPrefixes.length)
  })
})

describe('the confirmation of a price', () => {
  test('is asked for the expensive ranges of the three dial codes', () => {
    expect(asksPriceConfirmation('+2347028123456', 'special')).toBe(true)
    expect(asksPriceConfirmation('+923551234567', 'special')).toBe(true)
    expect(asksPriceConfirmation('+79541234567', 'special')).toBe(true)
  })

  test('is not asked for their ordinary numbers, nor elsewhere', () => {
    expect(asksPriceConfirmation('+2348021234567', 'mobile')).toBe(false)
    expect(asksPriceConfirmation('+79123456789', 'mobile')).toBe(false)
    expect(asksPriceConfirmation('+445012345678', 'special')).toBe(false)
    expect(asksPriceConfirmation('+61412345678', 'mobile')).toBe(false)
  })

  test('is asked for every range of the tariff at twice the ordinary rate or more', () => {
    const { rates, byIso } = parseTariff(readFileSync('public/tariff.csv', 'utf8'))
    const expensive = rates.filter(({ isoCode, kind, microUsdPerMinute }) => {
      const ordinary = byIso.get(isoCode)?.ourRateMicroUsd ?? Infinity
      return kind === 'special' && microUsdPerMinute >= 2 * ordinary
    })
    expect(expensive.length).toBeGreaterThan(20)
    const unasked = expensive.filter(({ prefix, kind }) => !asksPriceConfirmation(`+${prefix}`, kind))
    expect(unasked.map(({ prefix }) => prefix)).toEqual([])
  })
})
