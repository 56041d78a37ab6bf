import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import twilio from 'twilio'
import { expect, test } from 'vitest'
import { issueAccessToken } from '#server/telephony/twilio/access-token.ts'
import { identified, identityOf } from '#server/telephony/twilio/identity.ts'
import { fakeAccount } from '#support/fake-twilio/fake-twilio.ts'
import { createStoppedClock } from '#support/movable-clock.ts'

const { accountSid, apiKey, apiSecret, appSid } = fakeAccount
const settings = { accountSid, apiKey, apiSecret, appSid, ttlSeconds: 600 }
const userId = '0b1f7c1e-58a7-4f7e-9d0c-5f7f3a3f8a11'

test('a token is the package’s own but for its moments, which are our clock’s', async () => {
  const token = new twilio.jwt.AccessToken(accountSid, apiKey, apiSecret, {
    identity: identityOf(userId),
    ttl: 600,
  })
  token.addGrant(
    new twilio.jwt.AccessToken.VoiceGrant({ outgoingApplicationSid: appSid, incomingAllow: false }),
  )
  const theirs = token.toJwt()
  const { iat = 0 } = decodeJwt(theirs)
  const ours = await issueAccessToken(settings, userId, { now: () => new Date(iat * 1000 + 999) })
  expect(decodeJwt(ours)).toEqual(decodeJwt(theirs))
  expect(decodeProtectedHeader(ours)).toEqual(decodeProtectedHeader(theirs))
})

test('it lives ten minutes by our clock, lets its user call through our application, and be called by nobody', async () => {
  const clock = createStoppedClock()
  const token = await issueAccessToken(settings, userId, clock)
  const key = new TextEncoder().encode(apiSecret)
  const { payload } = await jwtVerify(token, key, { currentDate: clock.now(), algorithms: ['HS256'] })
  const seconds = clock.now().getTime() / 1000
  expect(payload).toEqual({
    iss: apiKey,
    sub: accountSid,
    jti: `${apiKey}-${seconds}`,
    iat: seconds,
    exp: seconds + 600,
    grants: { identity: userId.replaceAll('-', ''), voice: { outgoing: { application_sid: appSid } } },
  })
  clock.advance(601_000)
  await expect(jwtVerify(token, key, { currentDate: clock.now() })).rejects.toThrow(/exp/)
})

test('a user’s name with the vendor is letters and digits alone, and leads back to the user', () => {
  expect(identityOf(userId)).toMatch(/^[0-9a-f]{32}$/)
  const sessionId = '11111111-2222-4333-8444-555555555555'
  expect(identityOf(userId, sessionId)).toMatch(/^[0-9a-f]{64}$/)
  expect(identified(identityOf(userId, sessionId))).toEqual({ userId, sessionId })
  expect(identified(identityOf(userId))).toEqual({ userId, sessionId: undefined })
  // As tokens of an earlier version had it.
  expect(identified(userId)).toEqual({ userId, sessionId: undefined })
  for (const foreign of ['', 'somebody', `${identityOf(userId)}0`, identityOf(userId).toUpperCase()])
    expect(identified(foreign)).toBeUndefined()
})
