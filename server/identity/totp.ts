import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238, with the parameters that every authenticator app supports: SHA-1, 6 digits, 30 s. */
const stepMs = 30_000
const digits = 6
/** Steps accepted before and after the current one: phone clocks differ, and typing takes time. */
const drift = 1

/** The code of a time step (RFC 4226, 5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / stepMs)
}

/** The time step of a code, within one of now. @returns undefined if wrong, or not later than `lastStep` */
export function stepOf(secret: Uint8Array, code: string, at: Date, lastStep: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = stepAt(at)
  for (let step = now - drift; step <= now + drift; step += 1) {
    if (step > lastStep && timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) return step
  }
  return undefined
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? [])
    .map(five => base32Alphabet.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('')
}

/** The content of the QR code. @param account listed by the app next to the issuer */
export function otpauthUri(issuer: string, account: string, secret: Uint8Array): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = new URLSearchParams({ secret: base32(secret), issuer })
  return `otpauth://totp/${label}?${query}`
}
