import { keepDialable, latinDigits } from '#lib/numbers/dialable.ts'
import { keepPendingCall } from '#session/pending-call.ts'
import { type Place, settledNumber } from './calculator.ts'
import type { NumberReading } from './number-reading.ts'

/** What comes before an extension, such as `ext. 12` or `,,12`. */
const leadingNumber = /^\D*[^a-z,;#*]*/i

/** Keeps a number for the next page; one that is not read yet as it was typed, until it is. @param place the chosen country */
export function keepNumber(number: NumberReading, place: Place): void {
  if (number.kind === 'ok') {
    const { country, typed, extension, formatted } = number
    keepPendingCall({ country, typed, extension, formatted })
  }
  if (number.kind !== 'reading') return
  const typed = keepDialable(leadingNumber.exec(latinDigits(number.text))?.[0] ?? '')
  if (typed !== '')
    keepPendingCall({ country: place.isoCode.toLowerCase(), typed, extension: '', formatted: typed })
  void settledNumber().then(read => read?.kind === 'ok' && keepNumber(read, place))
}
