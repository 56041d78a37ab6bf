import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'

/** Decision 25: the bearer token lives 15 minutes, unless the owner sets another time. */
export const defaultAccessTokenSeconds = 15 * 60

const algorithm = 'HS256'
const audience = 'farline-api'
const type = 'at+jwt'

/** @param lifetimeSeconds whole seconds from now until it expires */
export async function signAccessToken(
  key: Uint8Array,
  userId: string,
  clock: Clock,
  lifetimeSeconds = defaultAccessTokenSeconds,
): Promise<string> {
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT({})
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setAudience(audience)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key)
}

/** The user a token speaks for, or undefined when it is forged, expired, or of another kind. */
export async function verifyAccessToken(
  key: Uint8Array,
  token: string,
  clock: Clock,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience,
      typ: type,
      currentDate: clock.now(),
      requiredClaims: ['sub', 'exp'],
    })
    return payload.sub
  } catch {
    return undefined
  }
}
