import { byteOrderMark, csvLines } from '#lib/csv.ts'
import type { Services } from '../../context.ts'
import type { ExportRow } from './paged.ts'
import { readmeOf } from './readme.ts'
import { type ExportTable, exportTables } from './tables.ts'
import { type ZippedFile, zipOf } from './zip.ts'

/** A zip with JSON, CSV and a README. Read page by page while it is consumed, so memory use is small. */
export function exportData(services: Services, userId: string): AsyncGenerator<Uint8Array> {
  const at = services.clock.now()
  const files: ZippedFile[] = [{ name: 'README.txt', content: once(readmeOf(exportTables, at)) }]
  for (const table of exportTables) {
    const rows = () => table.read(services, userId, at)
    files.push({ name: `${table.name}.json`, content: jsonOf(rows()) })
    files.push({ name: `${table.name}.csv`, content: csvOf(table, rows()) })
  }
  return zipOf(files, at)
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

async function* jsonOf(pages: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<string> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield `${before}\n${rows.map(row => JSON.stringify(row)).join(',\n')}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* csvOf(
  { columns }: ExportTable,
  pages: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<string> {
  const names = Object.keys(columns)
  yield byteOrderMark + csvLines([names])
  for await (const rows of pages) yield csvLines(rows.map(row => names.map(name => cellOf(row[name]))))
}

function cellOf(value: ExportRow[string] | undefined): string | number {
  if (value === undefined) throw new Error('a record lacks a column')
  if (value === null) return ''
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
}
