import { randomBytes, randomUUID } from 'node:crypto'

/** Randomness as a parameter. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = { bytes: length => randomBytes(length), uuid: () => randomUUID() }
