import { errors, jwtVerify, SignJWT } from 'jose'
import { failure, type Result, success } from '#lib/result.ts'
import type { Clock } from '../../clock.ts'
import type { Random } from '../../random.ts'

const algorithm = 'HS256'
/** Both are checked, so that no other token of ours opens the exchange, and this one opens nothing else. */
const audience = 'voice'
const type = 'voice+jwt'

export interface VoiceTokens {
  issue(userId: string): Promise<string>
  verify(token: string): Promise<Result<VoiceIdentity, 'expired' | 'invalid'>>
}

export interface VoiceIdentity {
  readonly userId: string
  readonly expiresAt: Date
}

export interface VoiceTokenOptions {
  /** At least 32 octets (RFC 7518, 3.2). */
  readonly secret: Uint8Array
  readonly ttlSeconds: number
  readonly clock: Clock
  readonly random: Random
}

/** Voice tokens: short-lived JWTs that name the user and nothing else. */
export function createVoiceTokens({ secret, ttlSeconds, clock, random }: VoiceTokenOptions): VoiceTokens {
  return {
    issue(userId) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds)
        .setJti(random.uuid())
        .sign(secret)
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: [algorithm],
          audience,
          typ: type,
          currentDate: clock.now(),
        })
        if (payload.sub === undefined || payload.exp === undefined) return failure('invalid')
        return success({ userId: payload.sub, expiresAt: new Date(payload.exp * 1000) })
      } catch (error) {
        if (error instanceof errors.JWTExpired) return failure('expired')
        if (error instanceof errors.JOSEError || error instanceof TypeError) return failure('invalid')
        throw error
      }
    },
  }
}
