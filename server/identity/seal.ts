import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../process/random.ts'

const ivBytes = 12
const tagBytes = 16

/** Encrypts bytes for the database: AES-256-GCM, with nonce and tag in front. */
export function seal(key: Uint8Array, bytes: Uint8Array, random: Random): Uint8Array {
  const iv = random.bytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** @returns undefined if another key sealed the bytes */
export function unseal(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
    decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}
