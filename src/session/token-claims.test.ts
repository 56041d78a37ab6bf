import { expect, test } from 'vitest'
import { isExpired, tokenExpiryMs } from './token-claims.ts'

function tokenWith(payload: unknown): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'HS256' })}.${encode(payload)}.c2lnbmF0dXJl`
}

test('a missing token counts as expired', () => {
  expect(isExpired(null, 0)).toBe(true)
  expect(isExpired('', 0)).toBe(true)
})

test.each([
  ['two parts', 'e30.e30'],
  ['four parts', `${tokenWith({ exp: 2_000_000_000 })}.e30`],
  ['a payload that is not base64url', 'e30.{"exp":2000000000}.e30'],
  ['a payload that is not JSON', `e30.${Buffer.from('exp').toString('base64url')}.e30`],
  ['a payload that is not UTF-8', `e30.${Buffer.from([0xff, 0xfe]).toString('base64url')}.e30`],
  ['no exp', tokenWith({ sub: 'a' })],
  ['an exp in words', tokenWith({ exp: '2000000000' })],
  ['null for claims', tokenWith(null)],
])('a token with %s counts as expired', (_, token) => {
  expect(isExpired(token, 0)).toBe(true)
})

test('a token is good up to its exp in seconds, times 1000, and expired past it', () => {
  const token = tokenWith({ exp: 1_700_000_000 })
  expect(isExpired(token, 1_699_999_999_999)).toBe(false)
  expect(isExpired(token, 1_700_000_000_000)).toBe(false)
  expect(isExpired(token, 1_700_000_000_001)).toBe(true)
})

test.each(['', 'x', 'xy', 'xyz', 'Zoë Müller', '電話', '☎️?>~'])(
  'reads exp beside a claim that holds %j',
  name => {
    expect(tokenExpiryMs(tokenWith({ name, exp: 1_700_000_000 }))).toBe(1_700_000_000_000)
  },
)
