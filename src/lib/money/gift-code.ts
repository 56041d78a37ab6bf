import { localPath } from '../i18n/path.ts'
import { latinDigits } from '../numbers/dialable.ts'

/** Crockford's base32: no I, L, O or U, so that a code can be read aloud. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 5
const groupLength = 4
const codeLength = groups * groupLength

/** Random bytes that one code takes: 5 bits of each, 100 bits in all. */
export const giftCodeBytes = codeLength

/** @param bytes `giftCodeBytes` random bytes */
export function giftCodeOf(bytes: Uint8Array): string {
  return [...bytes.subarray(0, codeLength)].map(byte => digits.charAt(byte & 31)).join('')
}

/** As typed or read aloud: any case, blanks and dashes anywhere, O for 0, I and L for 1. Null if it cannot be a code. */
export function readGiftCode(text: string): string | null {
  const code = latinDigits(text.normalize('NFKC'))
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return code.length === codeLength && [...code].every(digit => digits.includes(digit)) ? code : null
}

/** In groups, as it is printed: `K7QM-2F9X-…`. */
export function formatGiftCode(code: string): string {
  return code.match(/.{1,4}/g)?.join('-') ?? code
}

/** In the language of whoever sends it. The code is in the fragment, which browsers do not send to servers. */
export function redeemLink(publicUrl: string, code: string): string {
  return `${publicUrl}${localPath('/redeem')}#code=${formatGiftCode(code)}`
}
