import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'

/** Decision 25: the bearer token lives 15 minutes, unless the owner sets another time. */
export const defaultAccessTokenSeconds = 15 * 60

const algorithm = 'HS256'
const audience = 'farline-api'
const type = 'at+jwt'

/** Whom a token speaks for. */
export interface Bearer {
  readonly userId: string
  /** The session it was issued to; undefined in tokens of versions that did not say. */
  readonly sessionId: string | undefined
}

/**
 * @param lifetimeSeconds whole seconds from now until it expires
 * @param sessionId with which it ends, wherever that is asked
 */
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

/** Whom a token speaks for, or undefined when it is forged, expired, or of another kind. Asks nothing of the session. */
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
