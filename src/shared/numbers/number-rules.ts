/** What the dialler needs of the numbering plans; one chunk, loaded once the phone is usable. */

export { parseNumber, unsupportedMessage, verdictMessage } from '#lib/numbers/phone.ts'
export { numberFault } from './number-fault.ts'
export { numberTypeLabel, tollFreeMessage } from './number-type-label.ts'
export { formatPartial } from './partial-number.ts'
export { readWrittenNumber } from './written-number.ts'
