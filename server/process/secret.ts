import { hkdfSync } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

/** One key per purpose, derived from one secret, so that a token of one kind never passes as another. */
export interface Keys {
  readonly access: Uint8Array
  readonly refresh: Uint8Array
  /** Hashes refresh tokens, links and operators' cookies. Not `refresh`: the stored hash would be the successor. */
  readonly stored: Uint8Array
  readonly voice: Uint8Array
  readonly payments: Uint8Array
  /** Hashes the origins of calls. */
  readonly origin: Uint8Array
  /** Encrypts the browser's state during sign-in with Google. */
  readonly google: Uint8Array
  /** Signs the cookie of a known device. */
  readonly knownDevice: Uint8Array
  /** Encrypts the secrets of authenticator apps. */
  readonly authenticator: Uint8Array
  /** Encrypts the codes of booklets. */
  readonly gifts: Uint8Array
  /** Hashes the subjects of security events. */
  readonly security: Uint8Array
  /** Proves that the doctor asks which proxies are in front. */
  readonly probe: Uint8Array
}

export function deriveKeys(secret: string): Keys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `farline ${purpose}`, 32))
  return {
    access: derive('access token'),
    refresh: derive('refresh token'),
    stored: derive('stored tokens'),
    voice: derive('voice token'),
    payments: derive('payment events'),
    origin: derive('caller origins'),
    google: derive('google sign-in'),
    knownDevice: derive('known devices'),
    security: derive('security events'),
    authenticator: derive('authenticator apps'),
    gifts: derive('gift codes'),
    probe: derive('proxy probes'),
  }
}

/** The configured secret, or one generated once and kept beside the embedded database, readable only by its owner. */
export function readOrCreateSecret(
  configured: string | undefined,
  directory: string,
  random: Random,
): string {
  if (configured !== undefined) return configured
  const file = join(directory, 'token-secret')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, Buffer.from(random.bytes(32)).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
