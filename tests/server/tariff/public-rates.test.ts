// @module-tag one-engine
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { publicRates, publicRatesCsv, publicRatesOf } from '#lib/api/public-rates.ts'
import { countries } from '#lib/numbers/countries.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { readBuiltSite, siteDirectory } from '#support/built-site.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

readBuiltSite()
const web = keepForFile(await createWeb({ siteDirectory }))
const published = z.parse(publicRates, (await web.app.inject('/rates.json')).json())

test('the published rates are those that the calculator uses', async () => {
  expect(published.rates).toHaveLength(countries.length)
  for (const { isoCode, mobile, landline, ourRate, from, freeMinutes } of published.rates) {
    const { maxSurcharge: _, ...quote } = (await web.app.inject(`/api/rates/${isoCode}`)).json()
    expect({ isoCode, landline, ourRate, from, freeMinutes }).toEqual(quote)
    expect(mobile).toBe(quote.ourRate)
  }
})

test('they say what they are in, whose they are, and since when they hold', () => {
  expect(published).toMatchObject({ currency: 'USD', unit: 'minute', source: expect.stringMatching(/^http/) })
  expect(published.licence).toContain('Farline')
  expect(published.freeCall).toEqual({ worthUsd: 0.5, longestMinutes: 5 })
  // Unknown where the project came without its history, or the prices are being changed.
  if (published.validFrom !== null) {
    expect(published.validFrom).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(Date.parse(published.validFrom)).toBeLessThanOrEqual(Date.now())
  }
})

test('the CSV has the same figures, in lines as RFC 4180 has them', async () => {
  const { body, headers } = await web.app.inject('/rates.csv')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(body).toBe(publicRatesCsv(published))
  const [header = '', ...lines] = body.split('\r\n')
  expect(lines.pop()).toBe('')
  expect(lines.join('')).not.toMatch(/[\r\n]/)
  const names = header.split(',')
  expect(names).toEqual(expect.arrayContaining(['country', 'iso_code', 'dial_code', 'mobile', 'valid_from']))
  const rows = lines.map(line => line.match(/"(?:[^"]|"")*"|[^,]+|(?<=,)(?=,)/g) ?? [])
  expect(rows).toHaveLength(countries.length)
  for (const [index, row] of rows.entries()) {
    const rate = published.rates[index]
    expect(row, lines[index]).toHaveLength(names.length)
    expect(row.slice(1, 3)).toEqual([rate?.isoCode, rate?.dialCode.slice(1)])
    expect(row.slice(3, 8).map(Number)).toEqual([
      rate?.mobile,
      rate?.landline,
      rate?.ourRate,
      rate?.from,
      rate?.freeMinutes,
    ])
  }
})

test('a name that a spreadsheet would run is made harmless', () => {
  const [first] = published.rates
  if (first === undefined) throw new Error('no rates')
  const csv = publicRatesCsv({ ...published, rates: [{ ...first, country: '=2+5, "really"' }] })
  expect(csv.split('\r\n')[1]).toMatch(/^"'=2\+5, ""really""",/)
})

test('a country that the tariff lacks stops the build', () => {
  const tariff = readTariff()
  const byIso = new Map([...tariff.byIso].filter(([isoCode]) => isoCode !== 'FR'))
  expect(() => publicRatesOf({ ...tariff, byIso }, 'https://example.com/', null)).toThrow('FR')
})

test('pages of other sites may read them, and nothing else', async () => {
  const allowed = async (url: string) =>
    (await web.app.inject({ url, headers: { origin: 'https://other.example' } })).headers[
      'access-control-allow-origin'
    ]
  for (const url of ['/rates.json', '/rates.csv', '/rates.csv?today', '/tariff.csv', '/api/openapi.json'])
    expect(await allowed(url), url).toBe('*')
  for (const url of ['/api/rates/US', '/api/protected/me', '/', '/rates.json/x', '/api/docs'])
    expect(await allowed(url), url).toBeUndefined()
})

test.each(['/rates.json', '/rates.csv', '/api/openapi.json', '/api/docs', '/llms.txt'])(
  '%s is sent once, and then asked for by its ETag',
  async url => {
    const first = await web.app.inject({ url, headers: { 'accept-encoding': 'br' } })
    expect([first.statusCode, first.headers['content-encoding']]).toEqual([200, 'br'])
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = await web.app.inject({
      url,
      headers: { 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  },
)
