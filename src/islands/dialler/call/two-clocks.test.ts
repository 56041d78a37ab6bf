import { expect, test } from 'vitest'
import { localTimeOfNumber } from '#lib/numbers/local-time.ts'
import { twoClocks } from './two-clocks.ts'

const now = new Date('2025-11-20T14:05:00Z')

test.each([
  ['+919876543210', 'Europe/London', '14:05 here · 19:35 in India'],
  ['+919876543210', 'Asia/Colombo', '19:35 for both of you'],
  ['+442079460958', 'Europe/London', '14:05 for both of you'],
  ['+442079460958', 'America/New_York', '09:05 here · 14:05 in the United Kingdom'],
  ['+61412345678', 'Europe/London', '14:05 here · 01:05 in Sydney'],
  ['+12125550100', 'Europe/London', '14:05 here · 09:05 there'],
])('a call to %s from %s shows %s', (number, zone, text) => {
  const local = localTimeOfNumber(number, now)
  if (local === null) throw new Error('no time')
  expect(twoClocks(local, now, zone)).toBe(text)
})
