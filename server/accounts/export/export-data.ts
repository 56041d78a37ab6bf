import { Zip, ZipDeflate } from 'fflate'
import { byteOrderMark, csvLines } from '#lib/csv.ts'
import type { Services } from '../../context.ts'
import type { ExportRow } from './paged.ts'
import { readmeOf } from './readme.ts'
import { type ExportTable, exportTables } from './tables.ts'

interface ZippedFile {
  readonly name: string
  readonly content: AsyncIterable<string>
}

/** A zip with JSON, CSV and a README. Read page by page while it is consumed, so memory use is small. */
export function exportData(services: Services, userId: string): AsyncGenerator<Uint8Array> {
  const at = services.clock.now()
  const tables = exportTables()
  const files: ZippedFile[] = [{ name: 'README.txt', content: once(readmeOf(tables, at)) }]
  for (const table of tables) {
    const rows = () => table.read(services, userId, at)
    files.push({ name: `${table.name}.json`, content: jsonOf(rows()) })
    files.push({ name: `${table.name}.csv`, content: csvOf(table, rows()) })
  }
  return zipOf(files, at)
}

/** Streams files as a zip; holds at most one chunk of one file. @param at modification time of the files */
async function* zipOf(files: Iterable<ZippedFile>, at: Date): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const encoder = new TextEncoder()
  for (const { name, content } of files) {
    const entry = new ZipDeflate(name)
    entry.mtime = at
    zip.add(entry)
    for await (const text of content) {
      entry.push(encoder.encode(text))
      yield* made.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made.splice(0)
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
