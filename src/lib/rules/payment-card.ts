/** What a payment card's number, expiry and security code look like. Used by the local checkout. */

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown'

/** Only the digits of what somebody typed. */
export function cardDigits(text: string): string {
  return text.replace(/\D/g, '')
}

/** @param digits of a card number, or of its beginning */
export function cardBrand(digits: string): CardBrand {
  if (/^4/.test(digits)) return 'visa'
  if (/^3[47]/.test(digits)) return 'amex'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  if (/^(6011|65|64[4-9])/.test(digits)) return 'discover'
  return 'unknown'
}

/** How many digits a whole number of this brand has. */
function numberLength(brand: CardBrand): number {
  return brand === 'amex' ? 15 : 16
}

/** Digits in groups as they are printed on the card: 4 4 4 4, or 4 6 5. More than a card has are left out. */
export function formatCardNumber(digits: string): string {
  const brand = cardBrand(digits)
  const ends = brand === 'amex' ? [4, 10, 15] : [4, 8, 12, 16]
  const groups = ends.map((end, index) => digits.slice(ends[index - 1] ?? 0, end))
  return groups.filter(group => group !== '').join(' ')
}

/** `MM / YY` of up to four digits, or of six with a whole year, as browsers fill in. */
export function formatExpiry(digits: string): string {
  const year = digits.length >= 6 && digits.slice(2, 4) === '20' ? digits.slice(4, 6) : digits.slice(2, 4)
  return year === '' ? digits : `${digits.slice(0, 2)} / ${year}`
}

/** The check digit of ISO/IEC 7812-1: finds every single wrong digit and most swapped ones. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const weighed = index % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return digits.length > 0 && sum % 10 === 0
}

/** What is wrong with a card number; null when nothing is. */
export function numberFault(digits: string): string | null {
  if (digits === '') return 'Enter the card number.'
  const missing = numberLength(cardBrand(digits)) - digits.length
  if (missing > 0) return 'The card number is too short. Check it against the card.'
  return missing === 0 && passesLuhn(digits) ? null : 'This is not a card number. Check it against the card.'
}

/**
 * What is wrong with an expiry date; null when nothing is. A card is good to the end of its month.
 * @param digits MMYY
 */
export function expiryFault(digits: string, now: Date): string | null {
  if (digits === '') return 'Enter the month and year.'
  const month = Number(digits.slice(0, 2))
  if (digits.length !== 4 || month < 1 || month > 12) return 'Use MM / YY.'
  const year = 2000 + Number(digits.slice(2))
  const ended = year * 12 + month - 1 < now.getFullYear() * 12 + now.getMonth()
  if (ended) return 'This card has expired.'
  return year > now.getFullYear() + 50 ? 'Check the year.' : null
}

/** What is wrong with a security code; null when nothing is. Four digits on American Express, three elsewhere. */
export function codeFault(digits: string, brand: CardBrand): string | null {
  const length = brand === 'amex' ? 4 : 3
  if (digits.length === length) return null
  return digits === '' ? 'Enter the security code.' : `Enter its ${length} digits.`
}
