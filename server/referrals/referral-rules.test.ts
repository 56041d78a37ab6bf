import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskEmail, referralCodeOf, referralCodePattern } from './referral-rules.ts'

test.each([
  ['anna@gmail.com', 'a•••@g•••.com'],
  ['x@y.example', 'x•••@y•••.example'],
  ['anna.b@mail.co.uk', 'a•••@m•••.uk'],
  ['"a@b"@example.com', '"•••@e•••.com'],
  ['😀smile@example.com', '😀•••@e•••.com'],
  ['anna@localhost', 'a•••@l•••'],
  ['', '•••@•••'],
])('%s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})

test('a masked address does not reveal the length of the hidden part', () => {
  fc.assert(
    fc.property(fc.emailAddress(), email => {
      const [, ending = ''] = /(\.[^.@]*)$/.exec(email) ?? []
      expect([...maskEmail(email)]).toHaveLength(9 + ending.length)
    }),
  )
})

test('a code has eight characters that cannot be confused, and each bit counts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), bytes => {
      const code = referralCodeOf(bytes)
      expect(code).toMatch(referralCodePattern)
      expect(code).not.toMatch(/[lo01]/)
    }),
  )
  const first = new Set(
    Array.from({ length: 256 }, (_, byte) => referralCodeOf(Uint8Array.of(byte, 0, 0, 0, 0, 0, 0, 0))),
  )
  expect(first.size).toBe(32)
})
