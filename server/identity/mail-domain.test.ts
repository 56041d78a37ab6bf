import { expect, test } from 'vitest'
import { mailDomainOf } from './mail-domain.ts'

test.each([
  ['anna@example.org', 'example.org'],
  ['anna@calls.example.co.uk', 'example.co.uk'],
  ['anna@a.b.duckdns.org', 'duckdns.org'],
  [' Anna@EXAMPLE.org ', 'example.org'],
  ['anna@x-.example.org', 'example.org'],
  ['anna@ymail.top', 'ymail.top'],
  ['anna@gmx.world', 'gmx.world'],
  ['anna@mail.mail.xyz', 'mail.xyz'],
  ['anna@gmail.com', null],
  ['anna@yahoo.com.br', null],
  ['anna@outlook.fr', null],
  ['anna@web.de', null],
  ['anna@mail.ru', null],
  ['anna@localhost', null],
  ['anna', null],
])('%s is of the domain %s', (email, domain) => {
  expect(mailDomainOf(email)).toBe(domain)
})
