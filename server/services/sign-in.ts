import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import { signAccessToken } from '../identity/access-token.ts'
import { type DeviceName, unknownDevice } from '../identity/device-name.ts'
import { decoyHash, verifyPassword } from '../identity/passwords.ts'
import {
  endSession,
  type IssuedRefreshToken,
  type Replay,
  rotateSession,
  type SessionTools,
  startSession,
} from '../identity/refresh-token.ts'
import { newSignInLetter, replayLetter } from '../mail/account-letters.ts'
import type { Services } from './context.ts'
import { queueLetter } from './queue-letter.ts'
import { loginSucceeded, takeLogin } from './sign-in-limits.ts'

export interface SignedIn {
  readonly accessToken: string
  readonly refresh: IssuedRefreshToken
}

/** Where somebody signs in from. */
export interface SignInPlace {
  readonly device: DeviceName
  /** IP address, as the proxies that we trust tell it. */
  readonly address: string
}

/** Refused unread, a right password as well. */
export interface TooManyLogins {
  readonly ok: false
  readonly code: 'too_many_logins'
  readonly waitMs: number
}

/**
 * Signs in with a password, before the e-mail is confirmed too. Takes as long for an unknown address, and for an account
 * without a password, as for a wrong one.
 */
export async function login(
  services: Services,
  { email: typed, password }: { email: string; password: string },
  { device, address }: SignInPlace,
): Promise<Result<SignedIn, 'wrong_credentials'> | TooManyLogins> {
  const email = typed.trim().toLowerCase()
  const waitMs = await takeLogin(services, email, address)
  if (waitMs > 0) return { ok: false, code: 'too_many_logins', waitMs }
  const [user] = await services.db.query<{ id: string; password_hash: string | null }>(
    'select id, password_hash from app_user where email = $1',
    [email],
  )
  const stored = user?.password_hash ?? undefined
  const matches = await verifyPassword(stored ?? (await decoyHash()), password)
  if (user === undefined || stored === undefined || !matches) return failure('wrong_credentials')
  const session = await services.db.transaction(async tx => {
    // A password that was changed while this one was checked opens nothing any more.
    const [same] = await tx.query('select id from app_user where id = $1 and password_hash = $2 for update', [
      user.id,
      stored,
    ])
    return same === undefined ? undefined : openSession(tx, services, { id: user.id, email }, device)
  })
  if (session === undefined) return failure('wrong_credentials')
  await loginSucceeded(services, email, address)
  return success(await issue(services, session))
}

/**
 * Signs a user in on a device, in a transaction that has locked the user. Its owner is told by mail where the account
 * has been signed in before, and never on a device of that name.
 */
export async function openSession(
  tx: Db,
  services: Services,
  user: { readonly id: string; readonly email: string },
  device: DeviceName,
): Promise<IssuedRefreshToken> {
  const known = await tx.query<{ device: string }>(
    'select distinct device from session where user_id = $1 and device <> $2',
    [user.id, unknownDevice.name],
  )
  const session = await startSession(tx, sessionTools(services), user.id, device)
  if (known.length > 0 && known.every(({ device: name }) => name !== device.name)) {
    const at = services.clock.now()
    const letter = newSignInLetter(services.publicUrl, { device: device.name, at })
    await queueLetter(tx, `new-sign-in:${session.sessionId}`, user.email, letter, at)
  }
  return session
}

/** Exchanges the refresh cookie for a new pair. A cookie that was exchanged long before ends its session, and its owner is told. */
export async function refresh(
  services: Services,
  token: string | undefined,
  device: DeviceName = unknownDevice,
): Promise<Result<SignedIn, 'no_session'>> {
  if (token === undefined) return failure('no_session')
  const tell = (tx: Db, replay: Replay) => tellReplay(tx, services, replay)
  const rotated = await rotateSession(services.db, sessionTools(services), token, device, tell)
  return rotated === undefined ? failure('no_session') : success(await issue(services, rotated))
}

async function tellReplay(tx: Db, services: Services, { sessionId, at }: Replay): Promise<void> {
  const [owner] = await tx.query<{ email: string; device: string }>(
    `select email, coalesce(device, $2) as device from refresh_token
     join app_user on app_user.id = refresh_token.user_id left join session on session.id = family
     where family = $1 limit 1`,
    [sessionId, unknownDevice.name],
  )
  if (owner === undefined) return
  const letter = replayLetter(services.publicUrl, { device: owner.device, at })
  await queueLetter(tx, `replay:${sessionId}`, owner.email, letter, at)
}

/** Ends this device's session. Without one there is nothing to do. */
export async function logout(services: Services, token: string | undefined): Promise<void> {
  if (token !== undefined) await endSession(services.db, sessionTools(services), token)
}

/** The pair that a signed-in browser gets. */
export async function issue(services: Services, refreshToken: IssuedRefreshToken): Promise<SignedIn> {
  const { keys, clock, accessTokenSeconds } = services
  const { userId, sessionId } = refreshToken
  const accessToken = await signAccessToken(keys.access, userId, clock, accessTokenSeconds, sessionId)
  return { accessToken, refresh: refreshToken }
}

export function sessionTools({ clock, random, keys }: Services): SessionTools {
  return { clock, random, keys }
}
