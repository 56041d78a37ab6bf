import { describe, expect, test } from 'vitest'
import { inkOf, postmarkDate, startOfYear, talkText, yearLine } from './wording.ts'

const now = new Date(2026, 10, 24, 9)

describe('the line of the year', () => {
  test.each([
    [{ countries: 12, minutes: 220, spent: 4.1284 }, '2026: 12 countries, 3 h 40 min, $4.12'],
    [{ countries: 1, minutes: 1, spent: 0.02 }, '2026: 1 country, 1 min, $0.02'],
    [{ countries: 1, minutes: 5, spent: 0 }, '2026: 1 country, 5 min, free'],
    [{ countries: 0, minutes: 0, spent: 0 }, '2026: no answered calls yet'],
  ])('%o', (year, line) => expect(yearLine(year, now)).toBe(line))
})

test('whole hours go without minutes', () => {
  expect([59, 60, 61, 120].map(talkText)).toEqual(['59 min', '1 h', '1 h 1 min', '2 h'])
})

test('a postmark and the year are of the time zone of the reader', () => {
  expect(postmarkDate(new Date(2026, 0, 1, 0, 5))).toEqual({ day: '1 Jan', year: '2026' })
  expect(postmarkDate(new Date(2025, 11, 31, 23, 55))).toEqual({ day: '31 Dec', year: '2025' })
  expect(startOfYear(now)).toEqual(new Date(2026, 0, 1))
})

test('a country keeps its ink, and all three are used', () => {
  const inks = ['IN', 'US', 'GB', 'FR', 'DE'].map(inkOf)
  expect(new Set(inks).size).toBe(3)
  expect(inkOf('IN')).toBe(inks[0])
})
