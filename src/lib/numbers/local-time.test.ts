import { describe, expect, test } from 'vitest'
import { countries, countriesByIso } from './countries.ts'
import {
  firstPlace,
  isNight,
  localTimeOfCountry,
  localTimeOfNumber,
  nightText,
  sleepText,
  timeText,
} from './local-time.ts'
import { mainZones, onlyZone } from './time-zones.ts'

const noon = new Date('2025-11-20T12:00:00Z')
const evening = new Date('2025-11-20T17:44:00Z')
/** 23:10 in Sydney, 20:10 in Perth. */
const apart = new Date('2025-11-20T12:10:00Z')

const at = (number: string, now = noon) => {
  const local = localTimeOfNumber(number, now)
  return local === null ? null : timeText(local)
}

test.each([
  ['+919876543210', '17:30 there'],
  ['+8613812345678', '20:00 there'],
  ['+18765550123', '07:00 there'],
  ['+18295550123', '08:00 there'],
  ['+447700900142', '12:00 there'],
  ['+77710009998', '17:00 there'],
  ['+12125550123', '07:00 there'],
  ['+13105550123', '04:00 there'],
  ['+61861234567', '20:00 there'],
])('the time at %s is %s', (number, text) => {
  expect(at(number)).toBe(text)
})

test('a number that may be in several zones gets the likeliest, by its name', () => {
  expect(at('+61412345678')).toBe('23:00 in Sydney')
  expect(at('+79161234567')).toBe('15:00 in Moscow')
  expect(at('+18505550123')).toBe('07:00 in New York')
})

test.each([
  ['Sydney, Melbourne', 'Sydney'],
  ['سيدني، ملبورن', 'سيدني'],
  ['悉尼、墨尔本', '悉尼'],
  ['悉尼，墨尔本', '悉尼'],
  ['Perth', 'Perth'],
])('of %s, the first place stands for the zone', (places, place) => {
  expect(firstPlace(places)).toBe(place)
})

test('a number that tells no place gets no time', () => {
  expect([at('+18005550123'), at('+999123456'), at(''), at('+')]).toEqual([null, null, null, null])
  expect(localTimeOfCountry('ZZ', noon)).toBeNull()
})

describe('whether people sleep there', () => {
  test('is said with the time and the place, only at night', () => {
    const [india, london] = [
      localTimeOfNumber('+919876543210', evening),
      localTimeOfNumber('+442079460958', evening),
    ]
    if (india === null || london === null) throw new Error('no time')
    expect([timeText(india), sleepText(india)]).toEqual(['23:14 there', 'asleep until 7'])
    expect(nightText(india)).toBe("It's 23:14 in India. They may be asleep.")
    expect([london.sleep, sleepText(london), nightText(london)]).toEqual(['awake', null, null])
  })

  test('is a guess where not everybody in the country sleeps', () => {
    const mobile = localTimeOfNumber('+61412345678', apart)
    const perth = localTimeOfNumber('+61861234567', apart)
    if (mobile === null || perth === null) throw new Error('no time')
    expect([mobile.sleep, sleepText(mobile)]).toEqual(['maybe', 'may be asleep'])
    expect(nightText(mobile)).toBe("It's 23:10 in Sydney. They may be asleep.")
    expect(perth.sleep).toBe('awake')
  })

  test('names the main country of a shared dial code, unless a better one is known', () => {
    const night = new Date('2025-11-20T23:00:00Z')
    const text = (isoCode?: string) => {
      const local = localTimeOfNumber('+447797123456', night, isoCode)
      return local && nightText(local)
    }
    expect(text()).toBe("It's 23:00 in the United Kingdom. They may be asleep.")
    expect(text('JE')).toBe("It's 23:00 in Jersey. They may be asleep.")
  })

  test('takes the article of a country', () => {
    const manila = localTimeOfCountry('PH', evening)
    expect(manila && nightText(manila)).toBe("It's 01:44 in the Philippines. They may be asleep.")
  })

  test.each([
    ['21:59', false],
    ['22:00', true],
    ['06:59', true],
    ['07:00', false],
  ])('at %s: %s', (time, night) => {
    expect(isNight(time)).toBe(night)
  })
})

test('every country has its zones, and those with one keep the time that Node has for them', () => {
  for (const isoCode of countriesByIso.keys()) {
    expect(mainZones(isoCode).length, isoCode).toBeGreaterThan(0)
    expect(localTimeOfCountry(isoCode, noon), isoCode).not.toBeNull()
    const zone = onlyZone(isoCode)
    if (zone === undefined || ['CN', 'UA', 'XK'].includes(isoCode)) continue
    const locale: Intl.Locale & { getTimeZones?(): string[] } = new Intl.Locale(`und-${isoCode}`)
    const nodes = locale.getTimeZones?.() ?? []
    const time = (name: string) => noon.toLocaleTimeString('en-GB', { timeZone: name })
    expect(nodes.map(time), isoCode).toContain(time(zone))
  }
})

test('every dial code leads to a time of one of its countries', () => {
  for (const { dialCode } of countries) expect(at(`${dialCode}5`), dialCode).not.toBeNull()
})
