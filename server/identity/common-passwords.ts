import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const hashBytes = 4
/** Loaded on first use: 500 KB. */
let hashes: Buffer | undefined

/**
 * The 100,000 most common passwords of 8 characters and more and 25,000 words of 4 to 7 letters, in any case, as the
 * first 32 bits of hashes (`scripts/common-passwords.mjs`): one good password in 34,000 is rejected by chance.
 */
export function isCommonPassword(password: string): boolean {
  hashes ??= readFileSync(join(import.meta.dirname, 'common-passwords.bin'))
  const wanted = hash('sha256', password.toLowerCase(), 'buffer').readUInt32LE()
  let [low, high] = [0, hashes.length / hashBytes - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = hashes.readUInt32LE(middle * hashBytes)
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}
