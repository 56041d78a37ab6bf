import { afterEach, describe, expect, test, vi } from 'vitest'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { mainZones } from '#lib/numbers/time-zones.ts'
import { clocksOf, goodHoursInLondon } from './local-time.ts'

/** All zones of a country, by this Node's data. */
function zonesOf(isoCode: string): readonly string[] {
  // Newer than our `lib` target's types.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(`und-${isoCode}`)
  return locale.getTimeZones?.() ?? []
}

const first = (isoCode: string) => clocksOf(isoCode)[0]

afterEach(() => vi.useRealTimers())

describe('local time', () => {
  test.each([
    ['IN', 'UTC+5:30', '5 hours 30 minutes ahead of London in January, 4 hours 30 minutes in July'],
    ['US', 'UTC−5 in January, UTC−4 in July', '5 hours behind London'],
    ['FR', 'UTC+1 in January, UTC+2 in July', '1 hour ahead of London'],
    ['GB', 'UTC in January, UTC+1 in July', 'the same time as London'],
    ['IS', 'UTC', 'the same time as London in January, 1 hour behind London in July'],
    ['DO', 'UTC−4', '4 hours behind London in January, 5 hours in July'],
    ['KZ', 'UTC+5', '5 hours ahead of London in January, 4 hours in July'],
    ['XK', 'UTC+1 in January, UTC+2 in July', '1 hour ahead of London'],
    ['NP', 'UTC+5:45', '5 hours 45 minutes ahead of London in January, 4 hours 45 minutes in July'],
    ['AU', 'UTC+11 in January, UTC+10 in July', '11 hours ahead of London in January, 9 hours in July'],
    ['NG', 'UTC+1', '1 hour ahead of London in January, the same in July'],
    ['MA', 'UTC', 'the same time as London in January, 1 hour behind London in July'],
  ])('%s', (isoCode, utc, fromLondon) => {
    expect(first(isoCode)).toMatchObject({ utc, fromLondon })
  })

  test('shows a country that has stopped changing its clocks as it will be, not as it was in the year before', () => {
    const clocks = new Map(clocksOf('CA').map(({ place, utc }) => [place, utc]))
    expect(clocks.get('Vancouver')).toBe('UTC−7')
    expect(clocks.get('Calgary, Edmonton')).toBe('UTC−6')
    expect(clocks.get('Winnipeg')).toBe('UTC−6 in January, UTC−5 in July')
  })

  test('goes by the coming 15th of January and of July, and by no other day', async () => {
    vi.useFakeTimers({ now: new Date('2014-06-01T00:00:00Z'), toFake: ['Date'] })
    vi.resetModules()
    const page = await import('./local-time.ts')
    const utc = (isoCode: string) => page.clocksOf(isoCode)[0]?.utc
    // Summer time that year was until 26 June, and again from 31 July.
    expect(utc('EG')).toBe('UTC+2')
    // Summer time ended on 18 January.
    expect(utc('FJ')).toBe('UTC+13 in January, UTC+12 in July')
    // Clocks were set back for good in October.
    expect(utc('RU')).toBe('UTC+3 in January, UTC+4 in July')
  })

  test('good hours are those when everybody there is awake, by the clocks of London', () => {
    expect(goodHoursInLondon('IN')).toEqual({ january: '01:30 to 16:30', july: '02:30 to 17:30' })
    expect(goodHoursInLondon('GB').july).toBe('07:00 to 22:00')
    expect(goodHoursInLondon('RU').january).toBe('05:00 to 10:00')
    expect(goodHoursInLondon('US').january).toBe('17:00 to 03:00')
  })

  test('countries with several times name the places, and leave out none that people live by', () => {
    expect(clocksOf('US').map(({ place }) => place)).toHaveLength(7)
    expect(clocksOf('IN')).toHaveLength(1)
    const offset = (zone: string) =>
      [0, 6]
        .map(month =>
          new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).format(
            new Date(Date.UTC(2027, month, 15, 12)),
          ),
        )
        .join()
    // Research stations, single islands and towns that keep a time of their own; Beijing's time is China's,
    // and Crimea's is not Ukraine's.
    const tiny = [
      'America/Adak',
      'America/Blanc-Sablon',
      'America/Cambridge_Bay',
      'America/Coral_Harbour',
      'America/Inuvik',
      'Asia/Urumqi',
      'Australia/Eucla',
      'Australia/Lord_Howe',
      'Europe/Simferopol',
    ]
    for (const isoCode of countriesByIso.keys()) {
      const named = new Set(mainZones(isoCode).map(({ zone }) => offset(zone)))
      const missing = zonesOf(isoCode).filter(zone => !named.has(offset(zone)) && !tiny.includes(zone))
      expect(missing, isoCode).toEqual([])
    }
  })
})
