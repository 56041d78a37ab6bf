import { briefLine } from './lines/brief-line.ts'
import { busyLine } from './lines/busy-line.ts'
import { demoLine } from './lines/demo-line.ts'
import type { Line } from './lines/line.ts'
import { toneLine } from './lines/tone-line.ts'

export interface TestNumber {
  /** E.164 with the plus: 555-0100 to 555-0199 belong to nobody (North American Numbering Plan). */
  readonly number: string
  /** What it does, in the words of `docs/exchange.md`. */
  readonly does: string
  readonly line: Line
}

/** Every test number. `docs/exchange.md` shows the same table. */
export const testNumbers: readonly TestNumber[] = [
  { number: '+12125550100', does: 'Answers at once and plays 1004 Hz at 0 dBm0', line: toneLine },
  { number: '+12125550101', does: 'Is busy', line: busyLine },
  { number: '+12125550104', does: 'Answers at once and hangs up after 5 s', line: briefLine(5000) },
]

const lines = new Map(testNumbers.map(({ number, line }) => [number, line]))

/** The line behind a number in E.164: the demo line, unless the number is a test number. */
export function lineOf(number: string): Line {
  return lines.get(number) ?? demoLine
}
