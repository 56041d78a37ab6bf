import { expect, test } from 'vitest'
import { seal, unseal } from '#server/identity/seal.ts'
import { base32, codeOf, otpauthUri, stepAt, stepOf } from '#server/identity/totp.ts'
import { systemRandom } from '#server/process/random.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  // RFC 6238, appendix B, SHA-1: the last six of the eight digits.
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is %s', (seconds, code) => {
  expect(codeOf(secret, stepAt(new Date(seconds * 1000)))).toBe(code)
})

test('a code counts within a step of now, and none before the last', () => {
  const at = new Date(1_111_111_111_000)
  const now = stepAt(at)
  expect([-2, -1, 0, 1, 2].map(steps => stepOf(secret, codeOf(secret, now + steps), at, 0))).toEqual([
    undefined,
    now - 1,
    now,
    now + 1,
    undefined,
  ])
  expect(stepOf(secret, codeOf(secret, now), at, now)).toBeUndefined()
  for (const typed of ['', '12345', '1234567', 'abcdef']) expect(stepOf(secret, typed, at, 0)).toBeUndefined()
})

test('secrets are written as apps read them', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  expect(otpauthUri('Far line', 'a@b.example', secret)).toBe(
    'otpauth://totp/Far%20line:a%40b.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Far+line',
  )
})

test('what is sealed opens with its key alone, and unchanged', () => {
  const [key, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const sealed = seal(key, secret, systemRandom)
  expect(Buffer.from(unseal(key, sealed) ?? [])).toEqual(secret)
  expect(unseal(other, sealed)).toBeUndefined()
  sealed[sealed.length - 1] = (sealed[sealed.length - 1] ?? 0) ^ 1
  expect(unseal(key, sealed)).toBeUndefined()
})
