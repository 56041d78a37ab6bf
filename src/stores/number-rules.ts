/** What the dialler asks of the numbering plans, in one piece that comes once the phone can be used. */
export { lineWords, tollFreeMessage } from '#lib/rules/line-words.ts'
export { numberFault } from '#lib/rules/number-fault.ts'
export { formatPartial } from '#lib/rules/partial-number.ts'
export { parseNumber, unsupportedMessage, verdictMessage } from '#lib/rules/phone.ts'
export { readWrittenNumber } from '#lib/rules/written-number.ts'
