const number = /^-?\d+(\.\d+)?$/
/**
 * What spreadsheets take for the beginning of a formula, full-width forms included, and a tab or a line end in front, which
 * some of them drop.
 */
const formula = /^([\t\r\n]|[\s\p{Cc}\ufeff]*[=+\-@|\uff0b\uff0d\uff1d\uff20])/u

/** A line end in CSV (RFC 4180). */
const lineEnd = '\r\n'
/** Without it spreadsheets read UTF-8 wrongly. */
export const byteOrderMark = '\ufeff'

/** Rows as a CSV file (RFC 4180) with a byte order mark; its cells are safe in a spreadsheet (`csvCell`). */
export function csvOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${byteOrderMark}${csvLines([header, ...rows])}`
}

/** Rows as lines of a CSV file, each with its line end: for a file that is written bit by bit. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map(row => `${row.map(csvCell).join(',')}${lineEnd}`).join('')
}

/**
 * One cell: a text that a spreadsheet would run as a formula begins with an apostrophe, and a number stays a number
 * (reliability row 35). A telephone number with its plus is such a text.
 */
export function csvCell(value: string | number): string {
  const text = String(value)
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** USD as a cell, exact to the micro-dollar, with two decimals at least, and never in powers of ten. */
export function csvUsd(usd: number): string {
  return usd.toFixed(6).replace(/0{1,4}$/, '')
}
