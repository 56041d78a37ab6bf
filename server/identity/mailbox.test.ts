import { expect, test } from 'vitest'
import { normaliseMailbox } from './mailbox.ts'

test.each([
  ['Anna.Berg@Example.com', 'anna.berg@example.com'],
  [' anna+calls@example.com ', 'anna@example.com'],
  ['anna+one+two@example.com', 'anna@example.com'],
  ['A.n.n.a+x@GMail.com', 'anna@gmail.com'],
  ['anna@googlemail.com', 'anna@gmail.com'],
  ['a.n-n_a+x@protonmail.com', 'anna@proton.me'],
  ['anna@pm.me', 'anna@proton.me'],
  ['anna@mac.com', 'anna@icloud.com'],
  ['anna@me.com', 'anna@icloud.com'],
  ['anna.berg@ya.ru', 'anna-berg@yandex.ru'],
  ['anna-berg@yandex.com.tr', 'anna-berg@yandex.ru'],
  ['anna-shops@yahoo.co.uk', 'anna@yahoo.co.uk'],
  ['anna.berg-calls@ymail.com', 'anna.berg@ymail.com'],
  ['calls@anna.fastmail.com', 'anna@fastmail.com'],
  ['anna+calls@fastmail.fm', 'anna@fastmail.fm'],
  ['anna-berg@example.com', 'anna-berg@example.com'],
  ['anna@yandex.example.com', 'anna@yandex.example.com'],
  ['+anna@example.com', '+anna@example.com'],
  ['"a@b"@example.com', '"a@b"@example.com'],
])('%s is delivered to %s', (email, mailbox) => {
  expect(normaliseMailbox(email)).toBe(mailbox)
  expect(normaliseMailbox(mailbox)).toBe(mailbox)
})
