import { createHmac } from 'node:crypto'

/**
 * A token that opens something, as the database keeps it: what is stored cannot be used, and with another secret
 * (`Keys.stored`) nobody finds it any more. Random tokens need no slow hash.
 */
export function hashOf(key: Uint8Array, token: string): Uint8Array {
  return createHmac('sha256', key).update(token).digest()
}
