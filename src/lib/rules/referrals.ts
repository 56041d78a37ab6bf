/** A referral code: eight letters and digits that are not taken for each other. */
export const referralCodePattern = /^[a-z2-9]{8}$/

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/**
 * The code that unpredictable bytes make: 40 bits, which nobody guesses through a web page.
 * @param bytes eight
 */
export function referralCodeOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 8), byte => alphabet[byte % alphabet.length]).join('')
}

/**
 * An address as somebody may see it who knows its owner, and nobody else learns by: `a•••@g•••.com`. The length of what is
 * hidden does not show.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  const dot = domain.lastIndexOf('.')
  const ending = dot > 0 ? domain.slice(dot) : ''
  return `${firstOf(local)}•••@${firstOf(domain)}•••${ending}`
}

/** By characters: half a smiley is no text. */
function firstOf(text: string): string {
  const [first = ''] = text
  return first
}
