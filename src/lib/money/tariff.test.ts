import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max'
import mobileExamples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { landlineExamples } from '#components/calling/landline-examples.ts'
import { countries, countriesByIso, countryOfIso, defaultCountry } from '../numbers/countries.ts'
import { parseNumber } from '../numbers/phone.ts'
import {
  type CountryRate,
  cheapestRate,
  countryRate,
  findRate,
  parseTariff,
  type TariffRate,
} from './tariff.ts'

const csv = readFileSync('public/tariff.csv', 'utf8')
const tariff = parseTariff(csv)

const header = 'prefix,iso,kind,usd_per_min'
const small = parseTariff(
  [header, '44,GB,landline,0.014', '447,GB,mobile,0.020', '447781,GG,mobile,0.235'].join('\n'),
)

function ratesOf(isoCode: string): CountryRate {
  const rate = countryRate(tariff, isoCode)
  if (rate === undefined) throw new Error(`${isoCode} has no rate`)
  return rate
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

describe('the rate of a number', () => {
  test('is that of the longest prefix', () => {
    expect(findRate(small, '+442079460958')?.microUsdPerMinute).toBe(14_000)
    expect(findRate(small, '+447400123456')).toStrictEqual({
      prefix: '447',
      isoCode: 'GB',
      kind: 'mobile',
      microUsdPerMinute: 20_000,
    })
    expect(findRate(small, '+447781123456')?.isoCode).toBe('GG')
  })

  test('is found with and without the plus, and while the number is typed', () => {
    expect(findRate(small, '447400123456')?.prefix).toBe('447')
    expect(findRate(small, '+4477')?.prefix).toBe('447')
    expect(findRate(small, '+44')?.prefix).toBe('44')
  })

  test('is none for what starts otherwise, or is no number', () => {
    for (const number of [
      '',
      '+',
      '4',
      '+45123456',
      '0044',
      '+44 20',
      '44x',
      '++44',
      '＋44',
      '+4412345678901234',
    ])
      expect(findRate(small, number)).toBeUndefined()
  })

  test('is the one that looking through the whole file gives, for any digits', () => {
    const wholeFile = (digits: string): TariffRate | undefined =>
      tariff.rates
        .filter(rate => digits.startsWith(rate.prefix))
        .toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
    const known = fc.constantFrom(...tariff.rates.map(rate => rate.prefix))
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 6 })
    fc.assert(
      fc.property(fc.oneof(fc.tuple(known, digits), fc.tuple(digits, digits)), ([start, rest]) => {
        expect(findRate(tariff, start + rest)).toBe(wholeFile(start + rest))
      }),
      { seed: 34, numRuns: 2000 },
    )
  })
})

describe('reading a tariff', () => {
  test.each([
    ['another header', 'prefix,iso,usd', /line 1: expected the header/],
    ['nothing but the header', header, /line 2: expected a rate/],
    ['a missing column', `${header}\n44,GB,landline`, /line 2: expected/],
    ['a prefix that is none', `${header}\n+44,GB,landline,0.014`, /line 2: expected/],
    ['an unknown kind', `${header}\n44,GB,landline,0.014\n447,GB,cellular,0.020`, /line 3: expected/],
    ['a price that is none', `${header}\n44,GB,landline,free`, /line 2: expected/],
    ['a price of nothing', `${header}\n44,GB,landline,0.000`, /line 2: a rate must be above 0/],
    ['a blank line', `${header}\n44,GB,landline,0.014\n\n45,DK,landline,0.022`, /line 3: expected/],
    [
      'a prefix given twice',
      `${header}\n44,GB,landline,0.014\n44,GB,mobile,0.020`,
      /line 3: prefix 44 stands here a second time/,
    ],
    [
      'a second ordinary price',
      `${header}\n44,GB,landline,0.014\n441,GB,landline,0.020`,
      /line 3: GB has another landline price already/,
    ],
    ['special rates only', `${header}\n44,GB,special,0.014`, /line 2: GB has special rates only/],
  ])('rejects %s, naming the line', (_, text, message) => {
    expect(() => parseTariff(text)).toThrow(message)
  })

  test('accepts the line ends of any system', () => {
    expect(parseTariff(`${header}\r\n44,GB,landline,0.014\r\n`).rates).toHaveLength(1)
  })
})

describe('the rates of a country', () => {
  test('are its ordinary ones, and the cheapest', () => {
    const special = parseTariff(
      [header, '61,AU,landline,0.017', '614,AU,mobile,0.023', '61147,AU,special,1.900'].join('\n'),
    )
    const rates = {
      isoCode: 'AU',
      ourRateMicroUsd: 23_000,
      landlineMicroUsd: 17_000,
      fromMicroUsd: 17_000,
    }
    expect(countryRate(special, 'AU')).toStrictEqual(rates)
    expect(countryRate(special, 'au')).toStrictEqual(rates)
    expect(cheapestRate(special)).toBe(17_000)
  })

  test('are the same for landlines and mobiles where the numbers do not tell', () => {
    expect(ratesOf('US')).toStrictEqual({
      isoCode: 'US',
      ourRateMicroUsd: 20_000,
      landlineMicroUsd: 20_000,
      fromMicroUsd: 20_000,
    })
  })

  test('are none for a country that we do not sell', () => {
    for (const isoCode of ['KP', 'XX', '', 'USA', '__proto__', 'constructor'])
      expect(countryRate(tariff, isoCode)).toBeUndefined()
  })
})

describe('our tariff', () => {
  test('prices all the countries of the list, and no other', () => {
    expect(new Set(tariff.byIso.keys())).toStrictEqual(new Set(countriesByIso.keys()))
  })

  test('asks 2.0 cents for a US call and what the stamps say for the other nine', () => {
    const stamps = { US: 20, GB: 22, IN: 55, FR: 21, DE: 23, BR: 47, ES: 24, IT: 23, AU: 30, MX: 20 }
    for (const [isoCode, tenthsOfCents] of Object.entries(stamps))
      expect(ratesOf(isoCode).ourRateMicroUsd).toBe(tenthsOfCents * 1000)
    expect(findRate(tariff, '+12125550100')?.microUsdPerMinute).toBe(20_000)
  })

  test('runs from about 2 cents over a median of 28 to 3.51 dollars, and never above 3.60', () => {
    const ourRates = [...countriesByIso.keys()].map(isoCode => ratesOf(isoCode).ourRateMicroUsd)
    expect(Math.min(...ourRates)).toBe(16_000)
    expect(median(ourRates)).toBeGreaterThan(260_000)
    expect(median(ourRates)).toBeLessThan(300_000)
    expect(Math.max(...ourRates)).toBe(3_512_000)
    expect(Math.max(...tariff.rates.map(rate => rate.microUsdPerMinute))).toBeLessThanOrEqual(3_600_000)
    expect(cheapestRate(tariff)).toBe(16_000)
  })

  test('never asks less for mobiles than for landlines, and in most countries more', () => {
    const ratios = [...tariff.byIso.values()].map(rate => rate.ourRateMicroUsd / rate.landlineMicroUsd)
    expect(Math.min(...ratios)).toBe(1)
    expect(median(ratios)).toBeGreaterThan(1.05)
    for (const isoCode of ['US', 'CA', 'PR', 'CN', 'HK', 'SG', 'TH'])
      expect(ratesOf(isoCode).landlineMicroUsd).toBe(ratesOf(isoCode).ourRateMicroUsd)
  })

  test('has exceptions that are more expensive than the ordinary rates of their country', () => {
    const special = tariff.rates.filter(rate => rate.kind === 'special')
    expect(special.length).toBeGreaterThan(40)
    for (const rate of special)
      expect(rate.microUsdPerMinute, rate.prefix).toBeGreaterThan(ratesOf(rate.isoCode).ourRateMicroUsd)
  })

  test('is small enough to publish', () => {
    expect(tariff.rates.length).toBeLessThan(6000)
    expect(csv.length).toBeLessThan(150_000)
  })
})

describe('every country of the list', () => {
  const examples = countries.flatMap(({ isoCode }): (readonly [string, string, string])[] => {
    const mobile = getExampleNumber(isoCode as CountryCode, mobileExamples)?.number ?? ''
    const landline = landlineExamples.find(([iso]) => iso === isoCode)?.[1] ?? ''
    return [
      [isoCode, 'mobile', mobile],
      [isoCode, 'landline', landline],
    ]
  })

  test.each(examples)(
    "%s: its plan's example of a %s has the country's rate of that kind",
    (isoCode, kind, e164) => {
      const verdict = parseNumber(e164, defaultCountry)
      expect(verdict).toMatchObject({ kind: 'ok', e164, isoCode })
      const rate = findRate(tariff, e164)
      expect(rate?.isoCode).toBe(isoCode)
      if (verdict.kind === 'ok' && verdict.type === 'either')
        expect(['landline', 'mobile']).toContain(rate?.kind)
      else expect(rate?.kind).toBe(kind)
    },
  )
})

describe('a shared dial code', () => {
  test.each([
    ['+14165550123', 'CA'],
    ['+12505550123', 'CA'],
    ['+18675550123', 'CA'],
    ['+18765550123', 'JM'],
    ['+16585550123', 'JM'],
    ['+18295550123', 'DO'],
    ['+19395550123', 'PR'],
    ['+12425550123', 'BS'],
    ['+14415550123', 'BM'],
    ['+77710009998', 'KZ'],
    ['+77172123456', 'KZ'],
    ['+74951234567', 'RU'],
    ['+441534123456', 'JE'],
    ['+441481256789', 'GG'],
    ['+441624756789', 'IM'],
    ['+447797123456', 'JE'],
    ['+447924123456', 'IM'],
    ['+442079460958', 'GB'],
    ['+448001234567', 'GB'],
    ['+443001234567', 'GB'],
    ['+447700900142', 'GB'],
    ['+441632960123', 'GB'],
    ['+33639981234', 'FR'],
    ['+390669812345', 'IT'],
    ['+61891621234', 'AU'],
    ['+262269601234', 'RE'],
  ])('%s belongs to %s', (e164, isoCode) => {
    const verdict = parseNumber(e164, defaultCountry)
    expect(verdict).toMatchObject({ kind: 'ok', isoCode })
    expect(findRate(tariff, e164)?.isoCode).toBe(isoCode)
  })

  test('of +1 holds a rate for any exchange of each area code in the list', () => {
    for (const { isoCode, dialCode } of countries.filter(entry => /^\+1\d{3}$/.test(entry.dialCode)))
      for (const exchange of ['255', '555', '999'])
        expect(findRate(tariff, `${dialCode}${exchange}0123`)?.isoCode).toBe(isoCode)
  })

  test('leads nowhere where the number belongs to a country that we do not sell', () => {
    for (const e164 of ['+16845550123', '+16715550123', '+16705550123']) {
      expect(findRate(tariff, e164)).toBeUndefined()
    }
  })
})

describe('what is never sold', () => {
  test.each(['808', '870', '878', '881', '882', '883', '888', '979', '1900', '1600'])(
    '+%s has no rate',
    prefix => {
      expect(findRate(tariff, `+${prefix}5551234`)).toBeUndefined()
      expect(tariff.rates.some(rate => rate.prefix.startsWith(prefix))).toBe(false)
    },
  )

  test('personal numbers, pagers and premium numbers of the big plans have no rate either', () => {
    for (const number of ['+447012345678', '+447640123456', '+449012345678', '+33899123456', '+61190012345'])
      expect(findRate(tariff, number)).toBeUndefined()
  })
})

describe('a number that may be called', () => {
  test('is priced in the country that the phone rules name, wherever a number may be called', () => {
    const dialCodes = [...new Set(countries.map(country => country.dialCode))]
    const number = fc
      .tuple(
        fc.constantFrom(...dialCodes),
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 6, maxLength: 11 }),
      )
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(number, e164 => {
        const verdict = parseNumber(e164, defaultCountry)
        if (verdict.kind !== 'ok') return
        const rate = findRate(tariff, verdict.e164)
        if (rate === undefined && verdict.type === 'company') return
        expect(rate?.isoCode, e164).toBe(verdict.isoCode)
        expect(countryOfIso(verdict.isoCode)).toBeDefined()
      }),
      { seed: 2, numRuns: 5000 },
    )
  })
})
