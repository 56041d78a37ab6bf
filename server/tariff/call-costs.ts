import { microUsdPerUsd } from '#lib/money/money.ts'
import { type Costs, parseCosts } from './price-list.ts'

/** The carrier's cost of calls to some numbers, for some caller IDs. */
export interface CostRow {
  /** Prefixes of the numbers called: E.164 digits without the plus. */
  readonly prefixes: readonly string[]
  /** Prefixes of the caller IDs, in the same form. Empty: all caller IDs that no other row of these prefixes names. */
  readonly callers: readonly string[]
  readonly microUsdPerMinute: number
}

/**
 * What a list says of a call. `hosted`: the carrier charges for the browser's leg too, and also calls numbers that have no row.
 * `trunks`: the browser's leg costs nothing, and a number without a row has no carrier.
 */
export type CostBasis = 'hosted' | 'trunks'

export interface CallCosts {
  readonly basis: CostBasis
  /** By prefix of the numbers called. */
  readonly rows: ReadonlyMap<string, readonly CostRow[]>
}

export type WithoutCaller = 'cheapest' | 'most_expensive'

const header = 'prefixes,callers,usd_per_min'
const prefixList = String.raw`[1-9]\d{0,14}(?: [1-9]\d{0,14})*`
const row = new RegExp(String.raw`^(${prefixList}),(${prefixList})?,(\d{1,3}(?:\.\d{1,6})?)$`)

/**
 * Looks at the rows of a list one by one.
 * @returns for each row what is wrong with its price: it is 0, or another row has another price for a prefix and caller of
 *   its. Checked by the cheaper of the two, such a prefix would be sold by the other.
 */
export function createPriceCheck(): (row: CostRow) => string | undefined {
  const known = new Map<string, number>()
  return ({ prefixes, callers, microUsdPerMinute }) => {
    if (microUsdPerMinute === 0) return 'a cost must be above 0'
    for (const prefix of prefixes) {
      for (const caller of callers.length === 0 ? [''] : callers) {
        const key = `${prefix} ${caller}`
        if ((known.get(key) ?? microUsdPerMinute) !== microUsdPerMinute) {
          return `prefix ${prefix} has another price already${caller === '' ? '' : ` for callers ${caller}`}`
        }
        known.set(key, microUsdPerMinute)
      }
    }
    return undefined
  }
}

/**
 * Parses a file of carrier costs: a header, then one `prefixes,callers,usd_per_min` per line; lists are separated by spaces, USD
 * has up to 6 decimals.
 * @throws Error naming the first line that is invalid, costs nothing or contradicts another
 */
export function parseCostRows(csv: string): readonly CostRow[] {
  const lines = csv.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines[0] !== header) throw new Error(`costs, line 1: expected the header ${header}`)
  const faultOf = createPriceCheck()
  return lines.slice(1).map((line, index) => {
    const [, prefixes, callers = '', usd] = row.exec(line) ?? []
    if (prefixes === undefined || usd === undefined) {
      const found = JSON.stringify(line.slice(0, 80))
      throw new Error(`costs, line ${index + 2}: expected ${header}, found ${found}`)
    }
    const parsed: CostRow = {
      prefixes: prefixes.split(' '),
      callers: callers === '' ? [] : callers.split(' '),
      microUsdPerMinute: Math.round(Number(usd) * microUsdPerUsd),
    }
    const fault = faultOf(parsed)
    if (fault !== undefined) throw new Error(`costs, line ${index + 2}: ${fault}`)
    return parsed
  })
}

/** Reads our own format, with the cheapest caller ID, or one price per prefix. @throws Error naming the first invalid line */
export function readCostList(csv: string): Costs {
  return costsWithCallerId(callCostsOf(readOwnRows(csv)), 'cheapest')
}

/** Whether a list is in one of our own formats: with caller IDs, or with one price per prefix. */
export function isOwnList(csv: string): boolean {
  return /^(prefixes,callers|prefix),usd_per_min\r?(\n|$)/.test(csv)
}

/** Reads our own formats. @throws Error naming the first invalid line */
export function readOwnRows(csv: string): readonly CostRow[] {
  if (csv.startsWith(header)) return parseCostRows(csv)
  return [...parseCosts(csv)].map(([prefix, microUsdPerMinute]) => ({
    prefixes: [prefix],
    callers: [],
    microUsdPerMinute,
  }))
}

export function costRowsCsv(rows: readonly CostRow[]): string {
  const lines = rows.map(({ prefixes, callers, microUsdPerMinute }) => {
    const usd = (microUsdPerMinute / microUsdPerUsd).toFixed(6).replace(/\.?0+$/, '')
    return `${prefixes.join(' ')},${callers.join(' ')},${usd}`
  })
  return [header, ...lines, ''].join('\n')
}

export function callCostsOf(list: readonly CostRow[], basis: CostBasis = 'hosted'): CallCosts {
  const rows = new Map<string, CostRow[]>()
  for (const one of list) {
    for (const prefix of one.prefixes) {
      const known = rows.get(prefix)
      if (known === undefined) rows.set(prefix, [one])
      else known.push(one)
    }
  }
  return { basis, rows }
}

/**
 * Cost of a call in micro-dollars a minute: by the longest prefix of the callee's number that has a row for the caller ID, then
 * by the longest caller prefix. Of equals, the more expensive.
 * @param to, shown E.164, with or without the plus
 * @returns undefined if no row matches
 */
export function costOfCall(costs: CallCosts, to: string, shown: string): number | undefined {
  const number = to.replace(/^\+/, '')
  const caller = shown.replace(/^\+/, '')
  for (let length = number.length; length > 0; length -= 1) {
    const rows = costs.rows.get(number.slice(0, length))
    const cost = rows && costForCaller(rows, caller)
    if (cost !== undefined) return cost
  }
  return undefined
}

/** Max cost of a call to a number, whatever the caller ID, by the number's longest prefix; undefined if no row matches. */
export function maxCostOf(costs: CallCosts, to: string): number | undefined {
  for (let length = to.length; length > 0; length -= 1) {
    const rows = costs.rows.get(to.slice(0, length))
    if (rows !== undefined) return costOfRows(rows, 'most_expensive')
  }
  return undefined
}

export function costsWithCallerId(costs: CallCosts, caller: string | WithoutCaller): Costs {
  const chosen = new Map<string, number>()
  for (const [prefix, rows] of costs.rows) {
    const cost = costOfRows(rows, caller)
    if (cost !== undefined) chosen.set(prefix, cost)
  }
  return chosen
}

function costOfRows(rows: readonly CostRow[], caller: string | WithoutCaller): number | undefined {
  const all = rows.map(({ microUsdPerMinute }) => microUsdPerMinute)
  if (caller === 'cheapest') return Math.min(...all)
  return caller === 'most_expensive' ? Math.max(...all) : costForCaller(rows, caller.replace(/^\+/, ''))
}

function costForCaller(rows: readonly CostRow[], caller: string): number | undefined {
  let best: { readonly fit: number; readonly cost: number } | undefined
  for (const { callers, microUsdPerMinute: cost } of rows) {
    const fit = fitOf(callers, caller)
    if (fit === undefined) continue
    if (best === undefined || fit > best.fit || (fit === best.fit && cost > best.cost)) best = { fit, cost }
  }
  return best?.cost
}

/** Length of the longest matching caller prefix; 0 for a row without callers, undefined if none matches. */
function fitOf(callers: readonly string[], caller: string): number | undefined {
  if (callers.length === 0) return 0
  const fits = callers.filter(prefix => caller.startsWith(prefix)).map(prefix => prefix.length)
  return fits.length === 0 ? undefined : Math.max(...fits)
}
