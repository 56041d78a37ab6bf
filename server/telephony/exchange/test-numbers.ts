import { demoLine } from './endpoints/demo-line.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { briefLine, rejectingLine, ringingLine, toneLine } from './endpoints/simple-lines.ts'
import { languageOfCallee } from './media/clips.ts'

export interface TestNumber {
  /** E.164: 555-0100 to 555-0199 belong to nobody (North American Numbering Plan). */
  readonly number: string
  /** Its behaviour, as worded in `docs/exchange.md`. */
  readonly does: string
  readonly line: Endpoint
}

/** Every test number; `docs/exchange.md` shows the same table. */
export const testNumbers: readonly TestNumber[] = [
  { number: '+12125550100', does: 'Answers at once and plays 1004 Hz at 0 dBm0', line: toneLine() },
  { number: '+12125550101', does: 'Is busy', line: rejectingLine('busy') },
  {
    number: '+12125550102',
    does: 'Rings for 30 s and nobody answers',
    line: ringingLine(30_000, 'no_answer'),
  },
  { number: '+12125550103', does: 'Does not exist', line: rejectingLine('invalid_number') },
  { number: '+12125550104', does: 'Answers at once and hangs up after 5 s', line: briefLine(5000) },
  { number: '+12125550105', does: 'Rings for 4 s and declines', line: ringingLine(4000, 'declined') },
  {
    number: '+12125550106',
    does: 'Answers at once, plays the tone, goes silent after 5 s',
    line: toneLine(5000),
  },
  {
    number: '+12125550107',
    does: 'Rings for 10 s, then answers and plays the tone',
    line: ringingLine(10_000, 'answer'),
  },
  { number: '+12125550108', does: 'Answers at once and never sends any sound', line: toneLine(0) },
]

const lines = new Map(testNumbers.map(({ number, line }) => [number, line]))

/** @param number E.164 */
export function isTestNumber(number: string): boolean {
  return lines.has(number)
}

/** The endpoint behind a number in E.164: the demo endpoint, unless it is a test number. */
export function lineOf(number: string): Endpoint {
  return lines.get(number) ?? demoLine(languageOfCallee(number))
}
