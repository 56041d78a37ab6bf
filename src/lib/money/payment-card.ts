/** Format checks of payment cards, for the local checkout. */

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown'

export function cardDigits(text: string): string {
  return text.replace(/\D/g, '')
}

/** @param digits full or partial card number */
export function cardBrand(digits: string): CardBrand {
  if (/^4/.test(digits)) return 'visa'
  if (/^3[47]/.test(digits)) return 'amex'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  if (/^(6011|65|64[4-9])/.test(digits)) return 'discover'
  return 'unknown'
}

/** Groups of 4 4 4 4, or 4 6 5 for American Express; extra digits are dropped. */
export function formatCardNumber(digits: string): string {
  const brand = cardBrand(digits)
  const ends = brand === 'amex' ? [4, 10, 15] : [4, 8, 12, 16]
  const groups = ends.map((end, index) => digits.slice(ends[index - 1] ?? 0, end))
  return groups.filter(group => group !== '').join(' ')
}

/** `MM / YY` from up to four digits, or from six with a four-digit year, as autofill enters it. */
export function formatExpiry(digits: string): string {
  const year = digits.length >= 6 && digits.slice(2, 4) === '20' ? digits.slice(4, 6) : digits.slice(2, 4)
  return year === '' ? digits : `${digits.slice(0, 2)} / ${year}`
}

/** Check digit of ISO/IEC 7812-1: detects any single wrong digit and most transpositions. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const weighed = index % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return digits.length > 0 && sum % 10 === 0
}

export function numberFault(digits: string): string | null {
  if (digits === '') return 'Enter the card number.'
  const missing = (cardBrand(digits) === 'amex' ? 15 : 16) - digits.length
  if (missing > 0) return 'The card number is too short. Check it against the card.'
  return missing === 0 && passesLuhn(digits) ? null : "That isn't a card number. Check it against the card."
}

/** A card is valid until the end of its month. `digits`: MMYY. */
export function expiryFault(digits: string, now: Date): string | null {
  if (digits === '') return 'Enter the month and year.'
  const month = Number(digits.slice(0, 2))
  if (digits.length !== 4 || month < 1 || month > 12) return 'Use MM / YY.'
  const year = 2000 + Number(digits.slice(2))
  const ended = year * 12 + month - 1 < now.getFullYear() * 12 + now.getMonth()
  if (ended) return 'This card has expired.'
  return year > now.getFullYear() + 50 ? 'Check the year.' : null
}

export function codeFault(digits: string, brand: CardBrand): string | null {
  const length = brand === 'amex' ? 4 : 3
  if (digits.length === length) return null
  return digits === '' ? 'Enter the security code.' : `Enter its ${length} digits.`
}
