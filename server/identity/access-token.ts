import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../process/clock.ts'

/** 15 minutes (PD-25). */
export const defaultAccessTokenSeconds = 15 * 60

const algorithm = 'HS256'
const audience = 'farline-api'
const type = 'at+jwt'

export interface Bearer {
  readonly userId: string
  /** The session it was issued to; undefined in tokens of older versions. */
  readonly sessionId: string | undefined
}

/** @param lifetimeSeconds whole seconds @param sessionId ends the token early, where that is checked */
export async function signAccessToken(
  key: Uint8Array,
  userId: string,
  clock: Clock,
  lifetimeSeconds = defaultAccessTokenSeconds,
  sessionId?: string,
): Promise<string> {
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT(sessionId === undefined ? {} : { sid: sessionId })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setAudience(audience)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key)
}

/** @returns undefined for a forged or expired token, or one of another kind. Does not check the session. */
export async function verifyAccessToken(
  key: Uint8Array,
  token: string,
  clock: Clock,
): Promise<Bearer | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience,
      typ: type,
      currentDate: clock.now(),
      requiredClaims: ['sub', 'exp'],
    })
    const { sub: userId, sid } = payload
    if (userId === undefined) return undefined
    return { userId, sessionId: typeof sid === 'string' ? sid : undefined }
  } catch {
    return undefined
  }
}
