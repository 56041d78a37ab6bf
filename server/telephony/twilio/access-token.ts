import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import twilio from 'twilio'
import type { Clock } from '../../process/clock.ts'
import { identityOf } from './identity.ts'

const { AccessToken } = twilio.jwt

export interface AccessTokenSettings {
  readonly accountSid: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly appSid: string
  readonly ttlSeconds: number
}

/** Allows outgoing calls only. Times and id come from our clock, as the vendor's package reads the machine's. */
export async function issueAccessToken(
  { accountSid, apiKey, apiSecret, appSid, ttlSeconds }: AccessTokenSettings,
  userId: string,
  clock: Pick<Clock, 'now'>,
  sessionId?: string,
): Promise<string> {
  const token = new AccessToken(accountSid, apiKey, apiSecret, {
    identity: identityOf(userId, sessionId),
    ttl: ttlSeconds,
  })
  token.addGrant(new AccessToken.VoiceGrant({ outgoingApplicationSid: appSid, incomingAllow: false }))
  const made = token.toJwt()
  const nowSeconds = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT({ ...decodeJwt(made), jti: `${apiKey}-${nowSeconds}` })
    .setProtectedHeader({ ...decodeProtectedHeader(made), alg: AccessToken.DEFAULT_ALGORITHM })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + ttlSeconds)
    .sign(new TextEncoder().encode(apiSecret))
}
