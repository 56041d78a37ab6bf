import { codeOf, stepAt } from '#server/identity/totp.ts'

/** An authenticator app set up with a secret (TOTP, RFC 6238). @param secret in Base32 (RFC 4648) */
export function createAuthenticatorApp(secret: string): { code(at: Date, steps?: number): string } {
  const bits = [...secret.replace(/\s/g, '')].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2))
  const key = Buffer.from(bytes)
  return { code: (at, steps = 0) => codeOf(key, stepAt(at) + steps) }
}
