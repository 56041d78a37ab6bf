/** What the dialler needs of the numbering plans; one chunk, loaded once the phone is usable. */

export { parseNumber, verdictMessage } from '#lib/numbers/phone.ts'
export { isUnfinished, numberFault } from './number-fault.ts'
export { numberTypeLabel } from './number-type-label.ts'
export { formatPartial } from './partial-number.ts'
export { rejectionOf } from './rejection.ts'
export { readWrittenNumber } from './written-number.ts'
