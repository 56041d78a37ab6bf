/** What the dialler needs of the numbering plans; one chunk, loaded once the phone is usable. */

export { numberFault } from '#lib/rules/number-fault.ts'
export { numberTypeLabel, tollFreeMessage } from '#lib/rules/number-type-label.ts'
export { formatPartial } from '#lib/rules/partial-number.ts'
export { parseNumber, unsupportedMessage, verdictMessage } from '#lib/rules/phone.ts'
export { readWrittenNumber } from '#lib/rules/written-number.ts'
