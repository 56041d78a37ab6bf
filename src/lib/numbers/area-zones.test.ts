import { describe, expect, test } from 'vitest'
import { areaZone } from './area-zones.ts'

describe('the time of an area code', () => {
  test.each([
    ['New York', '+12125550123', 'America/New_York'],
    ['Chicago', '+13125550123', 'America/Chicago'],
    ['Denver', '+13035550123', 'America/Denver'],
    ['Los Angeles', '+13105550123', 'America/Los_Angeles'],
    ['Phoenix', '+16025550123', 'America/Phoenix'],
    ['Honolulu', '+18085550123', 'Pacific/Honolulu'],
    ['Anchorage', '+19075550123', 'America/Anchorage'],
    ['Toronto', '+14165550123', 'America/Toronto'],
    ['Orlando', '+16895550123', 'America/New_York'],
    ['Saskatchewan, the newest code', '+14745550123', 'America/Regina'],
    ['the middle of Borneo', '+62513123456', 'Asia/Jakarta'],
    ['Banjarmasin', '+62511123456', 'Asia/Makassar'],
    ['Regina', '+13065550123', 'America/Regina'],
    ['Perth', '+61861234567', 'Australia/Perth'],
    ['Darwin', '+61889234567', 'Australia/Darwin'],
    ['Adelaide', '+61881234567', 'Australia/Adelaide'],
    ['a mobile of Manaus', '+5592991234567', 'America/Manaus'],
    ['Recife', '+558133334444', 'America/Sao_Paulo'],
    ['Las Palmas', '+34928123456', 'Atlantic/Canary'],
    ['Barcelona', '+34931234567', 'Europe/Madrid'],
    ['Azores', '+351296123456', 'Atlantic/Azores'],
    ['Chatham Islands', '+6433051234', 'Pacific/Chatham'],
    ['Christchurch', '+6433651234', 'Pacific/Auckland'],
    ['Bali', '+62361123456', 'Asia/Makassar'],
    ['Tijuana', '+526641234567', 'America/Tijuana'],
    ['Vladivostok', '+74232123456', 'Asia/Vladivostok'],
    ['Kaliningrad', '+74012123456', 'Europe/Kaliningrad'],
  ])('%s', (_place, number, zone) => {
    expect(areaZone(number)).toBe(zone)
    expect(areaZone(number.slice(1))).toBe(zone)
  })

  test.each([
    ['an area code half typed', '+121'],
    ['an area code that two times share', '+18505550123'],
    ['a newer code laid over such a one', '+14485550123'],
    ['Labrador or Newfoundland', '+17095550123'],
    ['a toll-free number', '+18005550123'],
    ['a mobile that may be anywhere in Australia', '+61412345678'],
    ['a mobile that may be anywhere in Russia', '+79161234567'],
    ['a mobile that may be on the Canary Islands', '+34612345678'],
    ['a country that keeps one time', '+442079460958'],
    ['nothing', ''],
  ])('does not report %s', (_case, number) => {
    expect(areaZone(number)).toBeUndefined()
  })
})
