const number = /^-?\d+(\.\d+)?$/
/** Taken for a formula by spreadsheets, also in full width or after a tab or line break, which some drop. */
const formula = /^([\t\r\n]|[\s\p{Cc}\ufeff]*[=+\-@|\uff0b\uff0d\uff1d\uff20])/u

/** RFC 4180. */
const newline = '\r\n'
/** Without it spreadsheets misread UTF-8. */
export const byteOrderMark = '\ufeff'

export function csvOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${byteOrderMark}${csvLines([header, ...rows])}`
}

export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map(row => `${row.map(csvCell).join(',')}${newline}`).join('')
}

/** Text that a spreadsheet would run as a formula gets an apostrophe (REL-35), as do phone numbers with a plus. */
export function csvCell(value: string | number): string {
  const text = String(value)
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Exact to the micro-dollar, min two decimals, never in exponent notation. */
export function csvUsd(usd: number): string {
  return usd.toFixed(6).replace(/0{1,4}$/, '')
}
