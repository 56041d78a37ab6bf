import { failure, type Result, success } from '#lib/result.ts'
import { signAccessToken } from '../identity/access-token.ts'
import { decoyHash, verifyPassword } from '../identity/passwords.ts'
import {
  endSession,
  type IssuedRefreshToken,
  rotateSession,
  type SessionTools,
  startSession,
} from '../identity/refresh-token.ts'
import type { Services } from './context.ts'

export interface SignedIn {
  readonly accessToken: string
  readonly refresh: IssuedRefreshToken
}

/** Signs in with a password, before the e-mail is confirmed too. Takes as long for an unknown address. */
export async function login(
  services: Services,
  { email, password }: { email: string; password: string },
): Promise<Result<SignedIn, 'wrong_credentials'>> {
  const [user] = await services.db.query<{ id: string; password_hash: string }>(
    'select id, password_hash from app_user where email = $1',
    [email.trim().toLowerCase()],
  )
  const matches = await verifyPassword(user?.password_hash ?? (await decoyHash()), password)
  if (user === undefined || !matches) return failure('wrong_credentials')
  return success(await issue(services, await startSession(services.db, sessionTools(services), user.id)))
}

/** Exchanges the refresh cookie for a new pair. */
export async function refresh(
  services: Services,
  token: string | undefined,
): Promise<Result<SignedIn, 'no_session'>> {
  if (token === undefined) return failure('no_session')
  const rotated = await rotateSession(services.db, sessionTools(services), token)
  return rotated === undefined ? failure('no_session') : success(await issue(services, rotated))
}

/** Ends this device's session. Without one there is nothing to do. */
export async function logout(services: Services, token: string | undefined): Promise<void> {
  if (token !== undefined) await endSession(services.db, sessionTools(services), token)
}

async function issue(services: Services, refreshToken: IssuedRefreshToken): Promise<SignedIn> {
  const { keys, clock, accessTokenSeconds } = services
  const accessToken = await signAccessToken(keys.access, refreshToken.userId, clock, accessTokenSeconds)
  return { accessToken, refresh: refreshToken }
}

function sessionTools({ clock, random, keys }: Services): SessionTools {
  return { clock, random, key: keys.refresh }
}
