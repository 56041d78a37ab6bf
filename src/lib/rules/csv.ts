const number = /^-?\d+(\.\d+)?$/
/** What spreadsheets take for the beginning of a formula, full-width forms included. */
const formula = /^[\s\p{Cc}\ufeff]*[=+\-@|\uff0b\uff0d\uff1d\uff20]/u

/**
 * Rows as a CSV file (RFC 4180) with a byte order mark, without which spreadsheets read UTF-8 wrongly. A cell that a
 * spreadsheet would run as a formula begins with an apostrophe; a number stays a number (reliability row 35).
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')}`
}

function cell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
