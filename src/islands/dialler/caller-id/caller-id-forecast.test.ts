import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countriesByIso, countryOfIso } from '#lib/numbers/countries.ts'
import { type CallerIdKind, forecastCallerId } from './caller-id-forecast.ts'
import { countryRules } from './caller-id-rules.ts'

const said = (outcome: string | undefined) => (outcome === 'shown' ? 'Likely shown' : `May be ${outcome}`)
const own = (e164: string, isoCode: string): CallerIdKind => ({ kind: 'own', e164, isoCode })

function text(called: string, callerId: CallerIdKind): string {
  const country = countryOfIso(called)
  if (country === undefined) throw new Error(`${called} is not in the list`)
  return forecastCallerId(country, callerId).text
}

test('a number of the country that is called fares worse there than one of another country', () => {
  expect(text('IN', own('+919876543210', 'IN'))).toBe('May be blocked')
  expect(text('IN', own('+447700900142', 'GB'))).toBe('Likely shown')
  expect(text('IN', { kind: 'public' })).toBe('Likely shown')
  expect(text('DE', own('+4915112345678', 'DE'))).toBe('May be hidden')
})

test('distinguishes mobile numbers where the country’s rules do', () => {
  expect(text('GB', own('+447700900142', 'GB'))).toBe('May be hidden')
  expect(text('GB', own('+442079460958', 'GB'))).toBe('May be blocked')
  expect(text('FR', own('+33639981234', 'FR'))).toBe('May be hidden')
  expect(text('FR', own('+33123456789', 'FR'))).toBe('May be blocked')
})

test('Guernsey, Jersey and the Isle of Man count as the United Kingdom', () => {
  expect(text('GB', own('+447797123456', 'JE'))).toBe('May be hidden')
  expect(text('GG', own('+442079460958', 'GB'))).toBe('May be blocked')
  const forecast = forecastCallerId({ isoCode: 'IM', name: 'Isle of Man' }, { kind: 'public' })
  expect(forecast).toMatchObject({ text: 'Likely shown' })
  expect(forecast.reason).toContain('in the United Kingdom only affect')
})

test('says that other numbers work better only if the table says so', () => {
  for (const [isoCode, { foreign }] of Object.entries(countryRules)) {
    const { reason } = forecastCallerId({ isoCode, name: 'There' }, own('+10000000000', isoCode))
    expect(reason.includes('more often'), isoCode).toBe(foreign === 'shown')
  }
})

test('promises nothing if no rule is known, and says so', () => {
  for (const callerId of [{ kind: 'public' } as const, own('+254712345678', 'KE')]) {
    const forecast = forecastCallerId({ isoCode: 'KE', name: 'Kenya' }, callerId)
    expect(forecast).toMatchObject({ text: 'May be hidden', source: null })
    expect(forecast.reason).toContain("can't tell in advance")
  }
})

test('each rule is for a country that we sell, and is listed with its source in the documentation', () => {
  const documented = readFileSync('docs/caller-id-forecast.md', 'utf8')
  for (const [isoCode, { source }] of Object.entries(countryRules)) {
    const country = countriesByIso.get(isoCode)?.[0]
    expect(country, isoCode).toBeDefined()
    const { own: there, mobile, foreign } = countryRules[isoCode] ?? {}
    const apart = mobile === undefined ? '' : `; mobiles ${said(mobile.outcome).toLowerCase()}`
    expect(documented).toContain(`\n| ${country?.name} | ${said(there)}${apart} | ${said(foreign)} |`)
    if (source.url !== undefined) expect(documented).toContain(source.url)
  }
})
