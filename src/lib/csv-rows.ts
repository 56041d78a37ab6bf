/** One row of a CSV file, with the number of its first line. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

const byteOrderMark = '\ufeff'

/** RFC 4180: cells in quotes may hold anything. Skips empty lines. @throws Error naming the line of an unclosed quote */
export function csvRows(text: string): readonly CsvRow[] {
  const source = text.startsWith(byteOrderMark) ? text.slice(1) : text
  const rows: CsvRow[] = []
  let line = 1
  let begun = 1
  let cells: string[] = []
  let cell = ''
  let quoted = false
  const endRow = () => {
    cells.push(cell)
    if (cells.length > 1 || cell !== '') rows.push({ line: begun, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at)
    if (character === '\n') line += 1
    if (quoted) {
      if (character !== '"') cell += character
      else if (source.charAt(at + 1) !== '"') quoted = false
      else {
        cell += character
        at += 1
      }
    } else if (character === '"') quoted = true
    else if (character === ',') {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') {
      endRow()
      begun = line
    } else if (character !== '\r') cell += character
  }
  if (quoted) throw new Error(`line ${begun}: quotes that begin here do not end`)
  endRow()
  return rows
}
