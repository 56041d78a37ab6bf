import { usdToMicroUsd } from '#lib/rules/money.ts'
import type { Costs } from '#lib/rules/price-list.ts'
import { csvRows } from './csv-rows.ts'

/**
 * The price list for outbound calls that Twilio lets its customers download (Voice pricing, "Download CSV"). One row for some
 * prefixes of a country; where a price depends on the number that calls, one more for each group of callers, as the Pricing
 * API explains it: prefixes, `ALL`, or `ROW` for all callers that no other row names.
 */
const columns = [
  'ISO',
  'Country',
  'Description',
  'Price / min',
  'Origination Prefixes',
  'Destination Prefixes',
] as const

export interface PriceFault {
  readonly line: number
  readonly what: string
}

export interface PriceFile {
  /** Micro-dollars a minute by destination prefix, without the plus. */
  readonly costs: Costs
  /** Rows that could not be read, which are not in `costs`. */
  readonly faults: readonly PriceFault[]
}

interface Price {
  readonly microUsd: number
  /** How well the row fits the caller: digits of the origin that it names; 0 where it is for all others. */
  readonly fit: number
}

const priceShape = /^\$?(\d{1,3}(?:\.\d{1,6})?)$/
const prefixShape = /^[1-9]\d{0,14}$/

/**
 * @param caller digits of the number that calls show, without the plus. Without one each destination has its dearest price,
 * since people may show numbers of their own from anywhere.
 */
export function readPriceFile(csv: string, caller?: string): PriceFile {
  const [header, ...rows] = csvRows(csv)
  const places = columns.map(name => header?.cells.findIndex(cell => plain(cell) === plain(name)) ?? -1)
  const missing = columns.filter((name, index) => name !== 'Country' && places[index] === -1)
  if (missing.length > 0) {
    const what = `expected the columns ${columns.join(', ')}; missing: ${missing.join(', ')}`
    return { costs: new Map(), faults: [{ line: header?.line ?? 1, what }] }
  }
  const prices = new Map<string, Price>()
  const faults: PriceFault[] = []
  for (const { line, cells } of rows) {
    const [iso = '', , , usd = '', origins = '', destinations = ''] = places.map(
      place => cells[place]?.trim() ?? '',
    )
    const what = faultOf(iso, usd, list(destinations))
    if (what !== undefined) faults.push({ line, what })
    else addPrices(prices, list(destinations), priceOf(usd), fitOf(list(origins), caller))
  }
  return { costs: new Map([...prices].map(([prefix, { microUsd }]) => [prefix, microUsd])), faults }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function list(text: string): readonly string[] {
  return text.split(/[,;\s]+/).filter(part => part !== '')
}

function faultOf(iso: string, usd: string, prefixes: readonly string[]): string | undefined {
  if (!/^[A-Z]{2}$/.test(iso)) return `no country code: ${JSON.stringify(iso.slice(0, 40))}`
  if (!priceShape.test(usd))
    return `no price in USD with up to 6 decimals: ${JSON.stringify(usd.slice(0, 40))}`
  if (prefixes.length === 0) return 'no destination prefix'
  const wrong = prefixes.find(prefix => !prefixShape.test(prefix))
  return wrong === undefined ? undefined : `no prefix of a number: ${JSON.stringify(wrong.slice(0, 40))}`
}

function priceOf(usd: string): number {
  return usdToMicroUsd(Number(priceShape.exec(usd)?.[1]))
}

/** Undefined: the row is for other callers. */
function fitOf(origins: readonly string[], caller: string | undefined): number | undefined {
  const others = origins.length === 0 || origins.some(origin => /^(all|row)$/i.test(origin))
  if (caller === undefined || others) return 0
  const fits = origins.filter(origin => caller.startsWith(origin)).map(origin => origin.length)
  return fits.length === 0 ? undefined : Math.max(...fits)
}

/** Of several prices of a destination the one that fits the caller best, and of those the dearest. */
function addPrices(
  prices: Map<string, Price>,
  prefixes: readonly string[],
  microUsd: number,
  fit: number | undefined,
): void {
  if (fit === undefined) return
  for (const prefix of prefixes) {
    const known = prices.get(prefix)
    const better = known === undefined || fit > known.fit || (fit === known.fit && microUsd > known.microUsd)
    if (better) prices.set(prefix, { microUsd, fit })
  }
}
