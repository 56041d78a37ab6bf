import { expect, test } from 'vitest'
import { normaliseMailbox } from './mailbox.ts'

test.each([
  ['Anna.Berg@Example.com', 'anna.berg@example.com'],
  [' anna+calls@example.com ', 'anna@example.com'],
  ['anna+one+two@example.com', 'anna@example.com'],
  ['A.n.n.a+x@GMail.com', 'anna@gmail.com'],
  ['anna@googlemail.com', 'anna@gmail.com'],
  ['+anna@example.com', '+anna@example.com'],
  ['"a@b"@example.com', '"a@b"@example.com'],
])('%s is delivered to %s', (email, mailbox) => {
  expect(normaliseMailbox(email)).toBe(mailbox)
  expect(normaliseMailbox(mailbox)).toBe(mailbox)
})
