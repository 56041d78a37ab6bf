import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { systemRandom } from '#server/process/random.ts'
import { createVoiceTokens } from '#server/telephony/exchange/tokens.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { secret } from './exchange-world.ts'

const clock = createStoppedClock()
const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
const seconds = clock.now().getTime() / 1000

/** A token like ours but for what is overridden. */
function craft(changes: { typ?: string; aud?: string; exp?: number | null; sub?: string | null }) {
  const { typ = 'voice+jwt', aud = 'voice', exp = seconds + 600, sub = 'user-1' } = changes
  const jwt = new SignJWT().setProtectedHeader({ alg: 'HS256', typ }).setAudience(aud)
  if (exp !== null) jwt.setExpirationTime(exp)
  if (sub !== null) jwt.setSubject(sub)
  return jwt
}

test('a voice token names its user and lasts as long as it says', async () => {
  const verified = await tokens.verify(await tokens.issue({ kind: 'caller', userId: 'user-1' }))
  expect(verified).toEqual({
    ok: true,
    value: {
      party: { kind: 'caller', userId: 'user-1' },
      expiresAt: new Date(clock.now().getTime() + 600_000),
    },
  })
})

test('two tokens of the same second differ', async () => {
  expect(await tokens.issue({ kind: 'caller', userId: 'user-1' })).not.toBe(
    await tokens.issue({ kind: 'caller', userId: 'user-1' }),
  )
})

test('distinguishes an expired token from an invalid one', async () => {
  const later = createStoppedClock(new Date(clock.now().getTime() + 600_000))
  const verifier = createVoiceTokens({ secret, ttlSeconds: 600, clock: later, random: systemRandom })
  expect(await verifier.verify(await tokens.issue({ kind: 'caller', userId: 'user-1' }))).toEqual({
    ok: false,
    code: 'expired',
  })
})

test.each([
  ['an access token: another type', () => craft({ typ: 'at+jwt' }).sign(secret)],
  ['a token for another audience', () => craft({ aud: 'api' }).sign(secret)],
  ['a token without an end', () => craft({ exp: null }).sign(secret)],
  ['a token without a user', () => craft({ sub: null }).sign(secret)],
  ['a token signed with another key', () => craft({}).sign(new Uint8Array(32).fill(8))],
  ['text that is no token', async () => 'not a token at all'],
  ['nothing', async () => ''],
  [
    'a token of another algorithm',
    () => {
      const { privateKey } = generateKeyPairSync('ed25519')
      return new SignJWT()
        .setProtectedHeader({ alg: 'EdDSA', typ: 'voice+jwt' })
        .setAudience('voice')
        .setSubject('user-1')
        .setExpirationTime(seconds + 600)
        .sign(privateKey)
    },
  ],
  [
    'a token without a signature',
    async () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = { aud: 'voice', sub: 'user-1', exp: seconds + 600 }
      return `${part({ alg: 'none', typ: 'voice+jwt' })}.${part(claims)}.`
    },
  ],
])('%s is invalid', async (_, make) => {
  expect(await tokens.verify(await make())).toEqual({ ok: false, code: 'invalid' })
})

test('the crafted token without a change is valid, so the changes are what is rejected', async () => {
  expect(await tokens.verify(await craft({}).sign(secret))).toMatchObject({ ok: true })
})

const handset = { kind: 'handset', handsetId: 'h-1', number: '+12125550142', whenCalled: 'busy' } as const

test('the token of a handset names it, its number and what it does, and no user', async () => {
  const verified = await tokens.verify(await tokens.issue(handset))
  expect(verified).toMatchObject({ ok: true, value: { party: handset } })
})

test('a handset is known by its token also when that has expired, and by no other', async () => {
  const token = await tokens.issue(handset)
  const later = createStoppedClock(new Date(clock.now().getTime() + 600_000))
  const verifier = createVoiceTokens({ secret, ttlSeconds: 600, clock: later, random: systemRandom })
  expect(await verifier.verify(token)).toEqual({ ok: false, code: 'expired' })
  expect(await verifier.handsetOf(token)).toBe('h-1')
  expect(await tokens.handsetOf(await tokens.issue({ kind: 'caller', userId: 'h-1' }))).toBeUndefined()
  expect(await tokens.handsetOf('not a token')).toBeUndefined()
  const forger = { secret: new Uint8Array(32).fill(8), ttlSeconds: 600, clock, random: systemRandom }
  expect(await tokens.handsetOf(await createVoiceTokens(forger).issue(handset))).toBeUndefined()
})

test.each([
  ['a handset token for the audience of callers', { typ: 'handset+jwt', aud: 'voice' }],
  ['a caller token for the audience of handsets', { typ: 'voice+jwt', aud: 'handset' }],
  ['a handset token without a number', { typ: 'handset+jwt', aud: 'handset' }],
])('%s is invalid', async (_, changes) => {
  expect(await tokens.verify(await craft(changes).sign(secret))).toEqual({ ok: false, code: 'invalid' })
})
