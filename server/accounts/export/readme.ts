import { company } from '#lib/company.ts'
import { exportTexts } from './export-texts.ts'
import type { ExportTable } from './tables.ts'

export function readmeOf(tables: readonly ExportTable[], at: Date): string {
  const rules = [
    exportTexts.names,
    exportTexts.times({ example: '2026-03-01T12:00:00.000Z' }),
    exportTexts.money,
    exportTexts.phoneNumbers,
    exportTexts.apostrophe({ signs: '= + - @' }),
    exportTexts.empty,
  ]
  return [
    exportTexts.title({ company: company.name }),
    exportTexts.keptOn({ time: at.toISOString() }),
    [exportTexts.twice, '', ...rules.map(rule => `- ${rule}`)].join('\n'),
    ...tables.map(({ name, about, columns }) =>
      [
        `${name}.csv, ${name}.json`,
        about,
        ...Object.entries(columns).map(([column, what]) => `  ${column}${what === '' ? '' : `: ${what}`}`),
      ].join('\n'),
    ),
    `${exportTexts.absent}\n${exportTexts.absentText({ support: company.supportEmail })}`,
  ]
    .join('\n\n')
    .concat('\n')
    .replaceAll('\n', '\r\n')
}
