import { company } from '#lib/company.ts'
import type { ExportTable } from './tables.ts'

export function readmeOf(tables: readonly ExportTable[], at: Date): string {
  return [
    `Your data at ${company.name}`,
    `What we kept about you on ${at.toISOString()}, when you asked for it.`,
    [
      'Each kind of record is here twice: as .csv, which spreadsheets open, and as .json, for programs.',
      '',
      '- Times are in UTC, written as 2026-03-01T12:00:00.000Z (ISO 8601).',
      '- Money is in US dollars: columns ending in _usd hold dollars, those ending in _micro_usd the same amount',
      '  in millionths of a dollar, which is how we count. One credit is one dollar.',
      '- Telephone numbers begin with a plus and the country code (E.164).',
      '- In the .csv files an apostrophe stands before text that begins with =, +, - or @, telephone numbers too,',
      '  so that no spreadsheet takes it for a formula. It is not part of the data; the .json files have none.',
      '- A cell that is empty in .csv, and null in .json: there is nothing, or not yet.',
    ].join('\n'),
    ...tables.map(({ name, about, columns }) =>
      [
        `${name}.csv, ${name}.json`,
        about,
        ...Object.entries(columns).map(([column, what]) => `  ${column}${what === '' ? '' : `: ${what}`}`),
      ].join('\n'),
    ),
    [
      'Not in here',
      'Your password and the secrets of your sign-ins, of which we only keep one-way hashes; the one-way hashes by',
      'which we see that free calls are made once; what we wrote down for ourselves; and messages to our support,',
      `which are mails: ask ${company.supportEmail} for those.`,
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
    .replaceAll('\n', '\r\n')
}
