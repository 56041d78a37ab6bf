import { csvRows } from '#lib/csv-rows.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { type CostRow, createPriceCheck } from '../../tariff/call-costs.ts'

/**
 * Columns of Twilio's price list for outbound calls (Voice pricing, "Download CSV"). A row covers some prefixes of a
 * country. Where a price depends on the caller ID, rows named "- from EEA" or "- from US/CA" list the caller's prefixes
 * under "Origination Prefixes"; a row with none there covers all other callers. The Pricing API writes `ALL` or `ROW`
 * instead.
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
  readonly rows: readonly CostRow[]
  readonly faults: readonly PriceFault[]
}

const priceShape = /^\$?(\d{1,3}(?:\.\d{1,6})?)$/
const prefixShape = /^[1-9]\d{0,14}$/

export function readPriceFile(csv: string): PriceFile {
  const [header, ...lines] = csvRows(csv)
  const places = columns.map(name => header?.cells.findIndex(cell => plain(cell) === plain(name)) ?? -1)
  const missing = columns.filter((name, index) => name !== 'Country' && places[index] === -1)
  if (missing.length > 0) {
    const what = `expected the columns ${columns.join(', ')}; missing: ${missing.join(', ')}`
    return { rows: [], faults: [{ line: header?.line ?? 1, what }] }
  }
  const rows: CostRow[] = []
  const faults: PriceFault[] = []
  const priceFaultOf = createPriceCheck()
  for (const { line, cells } of lines) {
    const [iso = '', , , usd = '', origins = '', destinations = ''] = places.map(
      place => cells[place]?.trim() ?? '',
    )
    const [prefixes, callers] = [list(destinations), callersOf(origins)]
    const unreadable = faultOf(iso, usd, prefixes, callers)
    if (unreadable !== undefined) {
      faults.push({ line, what: unreadable })
      continue
    }
    const row = { prefixes, callers, microUsdPerMinute: priceOf(usd) }
    const what = priceFaultOf(row)
    if (what !== undefined) faults.push({ line, what })
    else rows.push(row)
  }
  return { rows, faults }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function list(text: string): readonly string[] {
  return text.split(/[,;\s]+/).filter(part => part !== '')
}

function callersOf(origins: string): readonly string[] {
  const callers = list(origins)
  return callers.some(origin => /^(all|row)$/i.test(origin)) ? [] : callers
}

function faultOf(
  iso: string,
  usd: string,
  prefixes: readonly string[],
  callers: readonly string[],
): string | undefined {
  if (!/^[A-Z]{2}$/.test(iso)) return `no country code: ${JSON.stringify(iso.slice(0, 40))}`
  if (!priceShape.test(usd))
    return `no price in USD with up to 6 decimals: ${JSON.stringify(usd.slice(0, 40))}`
  if (prefixes.length === 0) return 'no destination prefix'
  const wrong = [...prefixes, ...callers].find(prefix => !prefixShape.test(prefix))
  return wrong === undefined ? undefined : `no prefix of a number: ${JSON.stringify(wrong.slice(0, 40))}`
}

function priceOf(usd: string): number {
  return usdToMicroUsd(Number(priceShape.exec(usd)?.[1]))
}
