import { expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { findErrors, findSecrets, readStories, secretsOf } from '#support/server-logs.ts'

/** What our own log makes of it. */
function logged(what: object | string): string {
  const lines: string[] = []
  const log = createLog('trace', { write: line => lines.push(line) })
  if (typeof what === 'string') log.info(what)
  else log.info(what, 'something happened')
  return lines.join('')
}

const secrets = secretsOf(readStories())
const kinds = (log: string) => findSecrets(log, secrets).map(found => found.replace(/^line \d+: /, ''))

test.each([
  ['a phone number', 'calling +442071838750'],
  ['a phone number', { url: '/api/rates/lookup?number=%2B442071838750' }],
  ['an e-mail address', { to: 'somebody@example.com' }],
  ['a signed token', { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl' }],
  ['a header that holds a secret', { headers: { cookie: 'a=b' } }],
  ['a header that holds a secret', { headers: { authorization: 'something' } }],
  ['a cookie', 'refresh=Zm9vYmFyYmF6cXV4'],
  ['a link that lets somebody in', 'GET /reset-password/Zm9vYmFyYmF6cXV4'],
  ['a link that lets somebody in', 'GET /verify-email?token=Zm9vYmFyYmF6cXV4'],
  ['a cookie', '__Host-operator=Zm9vYmFyYmF6cXV4'],
  ['a link that lets somebody in', 'open https://farline.example/ops#sign-in=Zm9vYmFyYmF6cXV4'],
  ['a token', { body: { token: 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9v' } }],
  ['a token', { refreshToken: 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9v' }],
  ['a card number', 'paid with 4242 4242 4242 4242'],
  ['a card number', { card: '4242424242424242' }],
  ['a key of a provider', 'Stripe says that sk_test_51Nabc is unknown'],
  ['what a story typed', { number: '2125550100' }],
  ['what a story typed', 'the password is correct horse battery'],
])('%s in a log is found: %s', (kind, what) => {
  expect(kinds(logged(what))).toContain(kind)
})

test('what a log rightly says is no secret', () => {
  for (const said of [
    'Server listening at http://127.0.0.1:4321',
    { callId: '018f3b1e-7d0c-7b6a-9a50-0d8a5b0a2125', limitMs: 3_600_000, microUsd: 20_000 },
    { callId: '01a20a28-1478-7740-8834-8694dac0d828' },
    { method: 'GET', route: '/api/auth/verify-email', responseTime: 12.345_678_901 },
  ])
    expect(kinds(logged(said)), JSON.stringify(said)).toEqual([])
})

test('the stories are read for what they type: numbers and passwords', () => {
  expect(secrets.size).toBeGreaterThan(20)
  expect(
    secretsOf([`await dial(page, '+44 20 7183 8750')`, `await field('Password').fill('a long secret')`]),
  ).toEqual(new Set(['442071838750', 'a long secret']))
})

test('an error in a log is found, and so is what a server prints beside its log', () => {
  const lines: string[] = []
  const log = createLog('trace', { write: line => lines.push(line) })
  log.info('Server listening at http://127.0.0.1:4321')
  log.warn('a security event')
  log.error('an auto top-up failed')
  log.fatal('the database is gone')
  lines.push('TypeError: x is not a function\n', '    at file.ts:1:1\n')
  expect(findErrors(lines.join(''))).toEqual([
    expect.stringContaining('an auto top-up failed'),
    expect.stringContaining('the database is gone'),
    'TypeError: x is not a function',
    '    at file.ts:1:1',
  ])
})
