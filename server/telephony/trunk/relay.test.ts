import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { relayFor } from './relay.ts'

const settings = { addresses: ['turns:relay.example:443?transport=tcp'], secret: 'a secret of this test' }
const now = new Date('2026-11-28T12:00:00Z')

test('signs a name that ends in 25 hours', () => {
  const { urls, username, credential } = relayFor(settings, 'user-1', now)
  expect(urls).toEqual(settings.addresses)
  expect(Number(username.split(':')[0]) * 1000).toBe(now.getTime() + 25 * 3_600_000)
  expect(credential).toBe(createHmac('sha1', settings.secret).update(username).digest('base64'))
})

test('names each call of an account alike, no two accounts alike, and says whose it is to nobody', () => {
  const accountOf = (userId: string, at = now, { secret } = settings) =>
    relayFor({ ...settings, secret }, userId, at).username.split(':')[1]
  expect(accountOf('user-1', new Date('2026-11-29T12:00:00Z'))).toBe(accountOf('user-1'))
  expect(accountOf('user-2')).not.toBe(accountOf('user-1'))
  expect(accountOf('user-1')).toMatch(/^[\w-]{43}$/)
  expect(accountOf('user-1', now, { ...settings, secret: 'another' })).not.toBe(accountOf('user-1'))
})
