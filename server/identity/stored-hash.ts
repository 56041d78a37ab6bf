import { createHmac } from 'node:crypto'

/** A new secret (`Keys.stored`) voids all stored tokens. Random tokens need no slow hash. */
export function hashOf(key: Uint8Array, token: string): Uint8Array {
  return createHmac('sha256', key).update(token).digest()
}
