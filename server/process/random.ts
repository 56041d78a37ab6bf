import { randomBytes, randomUUID } from 'node:crypto'

export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = { bytes: length => randomBytes(length), uuid: () => randomUUID() }
