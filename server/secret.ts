import { hkdfSync } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

/** One key per purpose, all derived from the one secret: a token of one kind never passes as another. */
export interface Keys {
  readonly access: Uint8Array
  /** Derives the successors of refresh tokens. */
  readonly refresh: Uint8Array
  /**
   * Hashes refresh tokens, links and operators' cookies for the database. Not the key above: a stored hash would be the
   * successor itself.
   */
  readonly stored: Uint8Array
  readonly voice: Uint8Array
  /** Signs the events of the local checkout. */
  readonly payments: Uint8Array
  /** Hashes where callers call from. */
  readonly origin: Uint8Array
  /** Seals what a browser keeps while it is away at Google. */
  readonly google: Uint8Array
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
  }
}

/** The configured secret, or one made once and kept beside the embedded database, readable by its owner only. */
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
