import { csvRows } from '#lib/csv-rows.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'

/** Names of columns that are known, in any case, with spaces, hyphens or underscores. The first that a file has is read. */
export const columnNames = {
  number: ['called number', 'destination number', 'destination', 'dst', 'callee'],
  answer: ['answer time', 'answered at', 'connect time'],
  start: ['start time', 'started at', 'calldate', 'date'],
  // What is billed, before what includes the ringing.
  seconds: ['billed seconds', 'billed duration', 'billsec', 'duration', 'seconds'],
  cost: ['cost', 'cost usd', 'charge', 'amount'],
} as const satisfies Record<string, readonly string[]>

/** A call as the carrier bills it. */
export interface CallDetailRecord {
  /** In the file, from 1. */
  readonly line: number
  /** E.164. */
  readonly number: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** Whole, rounded up. */
  readonly seconds: number
  /** Undefined where the file does not say. */
  readonly costMicroUsd: number | undefined
}

export interface CdrFile {
  /** What the time of a record is: of the answer, or of an earlier moment, depending on the carrier. */
  readonly times: 'answer' | 'start'
  readonly records: readonly CallDetailRecord[]
  /** Rows that cannot be read. */
  readonly faults: readonly { readonly line: number; readonly what: string }[]
}

/**
 * A carrier's call detail records: CSV with a header. Times without a zone are UTC. Rows without seconds and cost are calls that
 * nobody answered, and left out.
 * @throws Error naming the columns that are missing, or if no row can be read
 */
export function readCdrFile(csv: string): CdrFile {
  const [header, ...rows] = csvRows(csv)
  const names = header?.cells.map(plain) ?? []
  const placeOf = (column: keyof typeof columnNames) =>
    columnNames[column].map(name => names.indexOf(name)).find(place => place !== -1)
  const [number, answer, seconds, cost] = [
    placeOf('number'),
    placeOf('answer'),
    placeOf('seconds'),
    placeOf('cost'),
  ]
  const time = answer ?? placeOf('start')
  if (number === undefined) throw missing('number')
  if (time === undefined) throw missing('answer', 'start')
  if (seconds === undefined) throw missing('seconds')
  const records: CallDetailRecord[] = []
  const faults: { line: number; what: string }[] = []
  for (const { line, cells } of rows) {
    const cellOf = (place: number | undefined) => (place === undefined ? '' : (cells[place]?.trim() ?? ''))
    if (/^[0.]*$/.test(cellOf(seconds)) && /^[0.]*$/.test(cellOf(cost))) continue
    const read = {
      number: numberOf(cellOf(number)),
      atMs: timeOf(cellOf(time)),
      seconds: secondsOf(cellOf(seconds)),
      cost: costOf(cellOf(cost)),
    }
    const shown = (place: number | undefined) => JSON.stringify(cellOf(place).slice(0, 40))
    if (read.number === undefined) faults.push({ line, what: `not a number in E.164: ${shown(number)}` })
    else if (read.atMs === undefined) faults.push({ line, what: `not a time: ${shown(time)}` })
    else if (read.seconds === undefined) faults.push({ line, what: `not seconds: ${shown(seconds)}` })
    else if (read.cost === 'unreadable') faults.push({ line, what: `not a cost in USD: ${shown(cost)}` })
    else
      records.push({
        line,
        number: read.number,
        atMs: read.atMs,
        seconds: read.seconds,
        costMicroUsd: read.cost,
      })
  }
  if (records.length === 0) throw new Error(withoutRecords(faults))
  return { times: answer === undefined ? 'start' : 'answer', records, faults }
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
}

function missing(...columns: readonly (keyof typeof columnNames)[]): Error {
  return new Error(`no column is called ${columns.flatMap(column => columnNames[column]).join(', ')}`)
}

function withoutRecords([first]: CdrFile['faults']): string {
  return first === undefined
    ? 'no row is an answered call'
    : `no row can be read; line ${first.line}: ${first.what}`
}

function numberOf(text: string): string | undefined {
  const digits = text.replaceAll(/[\s().-]/g, '').replace(/^(\+|00)/, '')
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined
}

const epochShape = /^\d{9,10}(\.\d{1,9})?$/
const isoShape = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(?:(Z)|([+-]\d\d):?(\d\d))?$/

/** @returns milliseconds since 1970 */
function timeOf(text: string): number | undefined {
  if (epochShape.test(text)) return Math.round(Number(text) * 1000)
  const [, date, time, fraction = '', , hours = '+00', minutes = '00'] = isoShape.exec(text) ?? []
  if (date === undefined || time === undefined) return undefined
  const inUtc = new Date(`${date}T${time}Z`)
  // A date that does not exist counts as one of the next month.
  const exists = !Number.isNaN(inUtc.getTime()) && inUtc.toISOString().startsWith(`${date}T${time}`)
  const ms = Date.parse(`${date}T${time}${fraction}${hours}:${minutes}`)
  return exists && !Number.isNaN(ms) ? ms : undefined
}

function secondsOf(text: string): number | undefined {
  return /^\d{0,6}(\.\d{1,9})?$/.test(text) ? Math.ceil(Number(text)) : undefined
}

function costOf(text: string): number | undefined | 'unreadable' {
  if (text === '') return undefined
  return /^\$?\d{1,6}(\.\d{1,12})?$/.test(text) ? usdToMicroUsd(Number(text.replace('$', ''))) : 'unreadable'
}
