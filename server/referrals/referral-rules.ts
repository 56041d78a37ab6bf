/** Eight letters and digits without lookalikes. */
export const referralCodePattern = /^[a-z2-9]{8}$/

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Of eight random bytes: 40 bits, too many to guess through a web page. */
export function referralCodeOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 8), byte => alphabet[byte % alphabet.length]).join('')
}

/** Masks an address so that only those who know its owner recognise it: `a•••@g•••.com`. Hides the lengths too. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  const dot = domain.lastIndexOf('.')
  const ending = dot > 0 ? domain.slice(dot) : ''
  return `${firstOf(local)}•••@${firstOf(domain)}•••${ending}`
}

/** By code point, so that an emoji is not cut in half. */
function firstOf(text: string): string {
  const [first = ''] = text
  return first
}
