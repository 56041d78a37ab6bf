import { microUsdPerUsd } from './money.ts'

/**
 * Our public tariff (`/tariff.csv`): a rate per minute for each number prefix; the longest prefix wins. A country has
 * ordinary rates for landlines and mobiles, or one for both (United States); more expensive numbers are `special`.
 */

export type RateKind = 'landline' | 'mobile' | 'special'

export interface TariffRate {
  /** E.164 digits without the plus. */
  readonly prefix: string
  readonly isoCode: string
  readonly kind: RateKind
  readonly microUsdPerMinute: number
}

/** Rates of a country in micro-dollars per minute (PD-15). */
export interface CountryRate {
  readonly isoCode: string
  readonly ourRateMicroUsd: number
  readonly landlineMicroUsd: number
  readonly fromMicroUsd: number
}

export interface Tariff {
  readonly rates: readonly TariffRate[]
  /** Rates by the prefix as a number; unambiguous because no prefix starts with 0. */
  readonly byPrefix: ReadonlyMap<number, TariffRate>
  readonly byIso: ReadonlyMap<string, CountryRate>
  readonly longestPrefix: number
  readonly cheapestMicroUsd: number
}

const header = 'prefix,iso,kind,usd_per_min'
const row = /^([1-9]\d{0,14}),([A-Z]{2}),(landline|mobile|special),(\d{1,3}\.\d{3})$/

/**
 * Parses a tariff file: the header, then lines of `prefix,iso,kind,usd_per_min`, USD with 3 decimals.
 * @throws Error naming the line of a wrong header or format, a duplicate prefix, a zero price, a second ordinary rate
 * of a country and kind, or a country without one
 */
export function parseTariff(csv: string): Tariff {
  const lines = csv.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines[0] !== header) throw malformed(1, `expected the header ${header}`)
  if (lines.length === 1) throw malformed(2, 'expected a rate')
  const rates: TariffRate[] = []
  const byPrefix = new Map<number, TariffRate>()
  const ordinary = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue
    const rate = parseRow(line, index + 1)
    const key = Number(rate.prefix)
    if (byPrefix.has(key)) throw malformed(index + 1, `prefix ${rate.prefix} stands here a second time`)
    byPrefix.set(key, rate)
    rates.push(rate)
    if (rate.kind === 'special') continue
    const price = ordinary.get(rate.isoCode + rate.kind) ?? rate.microUsdPerMinute
    if (price !== rate.microUsdPerMinute)
      throw malformed(index + 1, `${rate.isoCode} has another ${rate.kind} price already`)
    ordinary.set(rate.isoCode + rate.kind, price)
  }
  return {
    rates,
    byPrefix,
    byIso: countryRates(rates, ordinary),
    longestPrefix: rates.reduce((longest, rate) => Math.max(longest, rate.prefix.length), 0),
    cheapestMicroUsd: rates.reduce((lowest, rate) => Math.min(lowest, rate.microUsdPerMinute), Infinity),
  }
}

/** The rate by longest prefix of E.164, also partial or without the plus. `parseNumber` says what is callable. */
export function findRate(tariff: Tariff, number: string): TariffRate | undefined {
  const start = number.charCodeAt(0) === plus ? 1 : 0
  const length = number.length - start
  if (length > longestNumber || number.charCodeAt(start) === zero) return undefined
  let found: TariffRate | undefined
  let prefix = 0
  for (let count = 1; count <= length; count += 1) {
    const digit = number.charCodeAt(start + count - 1) - zero
    if (!(digit >= 0 && digit <= 9)) return undefined
    if (count > tariff.longestPrefix) continue
    prefix = prefix * 10 + digit
    found = tariff.byPrefix.get(prefix) ?? found
  }
  return found
}
const plus = 0x2b
const zero = 0x30
/** Max digits in E.164. */
const longestNumber = 15

/** ISO code in any case; undefined if we do not sell the country. */
export function countryRate(tariff: Tariff, isoCode: string): CountryRate | undefined {
  return tariff.byIso.get(isoCode.toUpperCase())
}

/** In micro-dollars per minute. */
export function cheapestRate(tariff: Tariff): number {
  return tariff.cheapestMicroUsd
}

function parseRow(line: string, lineNumber: number): TariffRate {
  const [, prefix, isoCode, kind, usd] = row.exec(line) ?? []
  if (prefix === undefined || isoCode === undefined || kind === undefined || usd === undefined)
    throw malformed(lineNumber, `expected ${header}, found ${JSON.stringify(line.slice(0, 80))}`)
  const microUsdPerMinute = Math.round(Number(usd) * microUsdPerUsd)
  if (microUsdPerMinute === 0) throw malformed(lineNumber, 'a rate must be above 0')
  return { prefix, isoCode, kind: kind as RateKind, microUsdPerMinute }
}

function countryRates(rates: readonly TariffRate[], ordinary: ReadonlyMap<string, number>) {
  const byIso = new Map<string, CountryRate>()
  for (const [index, { isoCode, microUsdPerMinute }] of rates.entries()) {
    const known = byIso.get(isoCode)
    const landlineMicroUsd = ordinary.get(`${isoCode}landline`) ?? ordinary.get(`${isoCode}mobile`)
    const ourRateMicroUsd = ordinary.get(`${isoCode}mobile`) ?? landlineMicroUsd
    if (landlineMicroUsd === undefined || ourRateMicroUsd === undefined)
      throw malformed(index + 2, `${isoCode} has special rates only`)
    const fromMicroUsd = Math.min(known?.fromMicroUsd ?? microUsdPerMinute, microUsdPerMinute)
    byIso.set(isoCode, { isoCode, ourRateMicroUsd, landlineMicroUsd, fromMicroUsd })
  }
  return byIso
}

function malformed(lineNumber: number, what: string): Error {
  return new Error(`tariff, line ${lineNumber}: ${what}`)
}
