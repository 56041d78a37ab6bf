import { createHmac } from 'node:crypto'
import type { Relay } from '#lib/api/token.ts'

export interface RelaySettings {
  /** `turns:relay.example:443?transport=tcp` */
  readonly addresses: readonly string[]
  /** coturn's `static-auth-secret`. */
  readonly secret: string
}

/** The longest call, and an hour in which it may begin: coturn asks for the password again while a call lasts. */
const ttlMs = 25 * 3_600_000

/**
 * A password for one call, as coturn's `use-auth-secret` wants it. coturn's quotas count what follows the colon, which is the same
 * for all calls of an account and does not name it.
 * @param now of coturn's clock
 */
export function relayFor({ addresses, secret }: RelaySettings, userId: string, now: Date): Relay {
  const expiresAt = Math.ceil((now.getTime() + ttlMs) / 1000)
  const account = createHmac('sha256', secret).update(`account ${userId}`).digest('base64url')
  const username = `${expiresAt}:${account}`
  return {
    urls: [...addresses],
    username,
    credential: createHmac('sha1', secret).update(username).digest('base64'),
  }
}
