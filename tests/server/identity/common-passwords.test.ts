// @module-tag slow
// @vocabulary words: they are words of a language.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { minPasswordLength } from '#lib/account/account.ts'
import { encodeCommonPasswords, readCommonPasswords } from '#scripts/common-passwords.mjs'
import { isCommonPassword } from '#server/identity/common-passwords.ts'

const file = join(import.meta.dirname, '../../../server/identity/common-passwords.bin')

test('the file holds the most common passwords and words of the list, and is made of it', () => {
  const { passwords, words } = readCommonPasswords()
  expect(passwords).toHaveLength(100_000)
  expect(Math.min(...passwords.map(password => password.length))).toBe(minPasswordLength)
  expect(words).toHaveLength(25_000)
  for (const word of words) expect(word).toMatch(/^\p{L}{4,7}$/u)
  expect(encodeCommonPasswords({ passwords, words }).equals(readFileSync(file))).toBe(true)
})

test('each of them is common, in whatever case', () => {
  const { passwords, words } = readCommonPasswords()
  for (const password of [...passwords, ...words])
    expect([password, isCommonPassword(password)]).toEqual([password, true])
  for (const password of [
    'Qwerty',
    'dragon',
    '12345678',
    '88888888',
    '987654321',
    'PassWord1',
    'QWERTYUIOP',
    'P@ssw0rd',
  ])
    expect([password, isCommonPassword(password)]).toEqual([password, true])
})

test('others are not', () => {
  for (let number = 0; number < 1000; number += 1) {
    const password = `a password that nobody has, ${number}`
    expect([password, isCommonPassword(password)]).toEqual([password, false])
  }
})
