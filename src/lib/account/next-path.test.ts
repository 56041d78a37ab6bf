import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeNextPath } from './next-path.ts'

test.each([
  '/call-history',
  '/buy-credits?amount=25',
  '/buy-credits#calculator',
  '/reset-password/abc',
  '/',
  '/es/call-history',
])('continues to %s, a path of this site', path => {
  expect(safeNextPath(path, '/call')).toBe(path)
})

test.each([
  null,
  '',
  'call',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/call\\..\\x',
  ' /call',
  '/call history',
  'javascript:alert(1)',
  `/${'a'.repeat(2000)}`,
])('goes to the fallback instead of %j', next => {
  expect(safeNextPath(next, '/call')).toBe('/call')
})

test.each(['/login', '/login/', '/login?next=/login', '/register#top', '/es/login', '/zh-Hans/register?a'])(
  'does not send a newly signed-in user to %s',
  next => {
    expect(safeNextPath(next, '/call')).toBe('/call')
  },
)

test('whatever next holds, the browser stays on this site', () => {
  const origin = 'https://farline.example'
  const tricky = fc.array(
    fc.constantFrom('/', '\\', '.', ':', '@', '\t', '\n', ' ', '#', '?', '%2f', 'evil.example'),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        tricky.map(parts => parts.join('')),
      ),
      next => {
        expect(new URL(safeNextPath(next, '/call'), origin).origin).toBe(origin)
      },
    ),
    { numRuns: 2000 },
  )
})
