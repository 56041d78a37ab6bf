import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { formatCharge } from '#lib/money/money.ts'
import { StartError } from '../../process/start-error.ts'
import { readCdrFile } from '../cdrs/cdr-file.ts'
import type { Command } from './command.ts'

const record = z.object({
  line: z.number(),
  number: z.string(),
  atMs: z.number(),
  seconds: z.number(),
  costMicroUsd: z.optional(z.number()),
})
const report = z.object({
  fromMs: z.number(),
  untilMs: z.number(),
  records: z.number(),
  calls: z.number(),
  onlyCarrier: z.array(record),
  onlyOurs: z.array(
    z.object({ callId: z.string(), number: z.string(), atMs: z.number(), seconds: z.number() }),
  ),
  durations: z.array(z.extend(record, { ourSeconds: z.number() })),
  costs: z.array(z.extend(record, { expectedMicroUsd: z.number() })),
  theirs: z.object({ seconds: z.number(), costMicroUsd: z.nullable(z.number()) }),
  ours: z.object({ seconds: z.number(), costMicroUsd: z.number() }),
  faults: z.array(z.object({ line: z.number(), what: z.string() })),
})

export const carrierCdrsCommand: Command = {
  name: 'carrier-cdrs',
  synopsis: 'carrier-cdrs <file> --carrier <name>',
  does: "Compares a carrier's call detail records with our calls, and changes nothing",
  read({ args: [file, ...rest], carrier, actor }) {
    if (file === undefined || carrier === undefined || rest.length > 0) return undefined
    return {
      path: '/carrier-cdrs',
      body: { cdrs: readCdrs(file), carrier, actor },
      uncertainty: 'what it found',
    }
  },
  format(value) {
    const found = z.parse(report, value)
    const { onlyCarrier, onlyOurs, durations, costs, faults } = found
    const lists = [
      ...listed('Only the carrier has', onlyCarrier.map(recordText)),
      ...listed(
        'Only we have',
        onlyOurs.map(({ callId, atMs, number, seconds }) =>
          [timeText(atMs), number, `${seconds} s`, callId].join('  '),
        ),
      ),
      ...listed(
        'Durations differ',
        durations.map(({ ourSeconds, ...one }) => `${recordText(one)}  here ${ourSeconds} s`),
      ),
      ...listed(
        'Costs are above the price list',
        costs.map(
          ({ expectedMicroUsd, ...one }) => `${recordText(one)}  here ${formatCharge(expectedMicroUsd)}`,
        ),
      ),
      ...listed(
        'Rows that cannot be read',
        faults.map(({ line, what }) => `line ${line}: ${what}`),
      ),
    ]
    return [
      `Compared ${found.records} records with ${found.calls} calls, ${timeText(found.fromMs)} to ${timeText(found.untilMs)} UTC.`,
      ...(lists.length === 0 ? ['Nothing differs.'] : lists),
      ...totalLines(found),
    ].join('\n')
  },
  errorTexts: {
    unreadable: 'The server cannot read those records.',
    unknown_carrier: 'No call went over a carrier of that name. The trunk file has the names.',
  },
}

/** @returns the file's text, once it has been read successfully */
function readCdrs(file: string): string {
  try {
    const csv = readFileSync(file, 'utf8')
    readCdrFile(csv)
    return csv
  } catch (error) {
    throw new StartError(`${file}: ${(error as Error).message}`)
  }
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}: ${lines.length}`, ...lines.map(line => `- ${line}`)]
}

function recordText({ line, atMs, number, seconds, costMicroUsd }: z.infer<typeof record>): string {
  const cost = costMicroUsd === undefined ? [] : [formatCharge(costMicroUsd)]
  return [`line ${line}`, timeText(atMs), number, `${seconds} s`, ...cost].join('  ')
}

function totalLines({ theirs, ours }: z.infer<typeof report>): readonly string[] {
  const text = (seconds: number, costMicroUsd: number | null) =>
    `${seconds} s${costMicroUsd === null ? '' : `, ${formatCharge(costMicroUsd)}`}`
  const more = theirs.costMicroUsd === null ? null : theirs.costMicroUsd - ours.costMicroUsd
  return [
    `Carrier:    ${text(theirs.seconds, theirs.costMicroUsd)}`,
    `Here:       ${text(ours.seconds, ours.costMicroUsd)}`,
    `Difference: ${text(theirs.seconds - ours.seconds, more)}`,
  ]
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
