import { expect, test } from 'vitest'
import { onlyZone } from '#lib/numbers/time-zones.ts'
import { isNight, timeIn } from './local-hour.ts'

const noon = new Date('2025-11-20T12:00:00Z')

test('the time there, by the zone of a country that keeps one', () => {
  expect(timeIn(onlyZone('IN') ?? '', noon)).toBe('17:30')
  expect(timeIn(onlyZone('CN') ?? '', noon)).toBe('20:00')
  expect(timeIn(onlyZone('JM') ?? '', noon)).toBe('07:00')
})

test('none where a country keeps several, or the browser does not know the zone', () => {
  expect([onlyZone('US'), onlyZone('AU'), onlyZone('ZZ')]).toEqual([undefined, undefined, undefined])
  expect(timeIn('Nowhere/Land', noon)).toBeUndefined()
})

test.each([
  ['21:59', false],
  ['22:00', true],
  ['06:59', true],
  ['07:00', false],
])('at %s it is night: %s', (time, night) => {
  expect(isNight(time)).toBe(night)
})
