import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { type DeviceName, unknownDevice } from '../../identity/device-name.ts'
import { decoyHash, verifyPassword } from '../../identity/passwords.ts'
import { endSession, type Replay, rotateSession } from '../../identity/refresh-token.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import { reportSecurityEvent } from '../../observability/security-events.ts'
import { enter, type SecondStep } from '../second-factor/second-step.ts'
import { issue, type SignedIn, sessionTools } from './open-session.ts'
import { replayEmail } from './sign-in-emails.ts'
import { countLogin, type KnownBrowser, knownDeviceOf, loginSucceeded } from './sign-in-limits.ts'

export interface SignInPlace {
  readonly device: DeviceName
  /** IP address as reported by our trusted proxies. */
  readonly address: string
  readonly known?: KnownBrowser | undefined
}

/** Rejected before the password is checked, even if it is right. */
export interface TooManyLogins {
  readonly ok: false
  readonly code: 'too_many_logins'
  readonly waitMs: number
}

/** Takes as long for an unknown address, or an account without a password, as for a wrong password. */
export async function login(
  services: Services,
  { email: typed, password }: { email: string; password: string },
  { device, address, known }: SignInPlace,
): Promise<Result<SignedIn, 'wrong_credentials'> | TooManyLogins | SecondStep> {
  const email = typed.trim().toLowerCase()
  const [user] = await services.db.query<{ id: string; password_hash: string | null }>(
    'select id, password_hash from app_user where email = $1',
    [email],
  )
  const knownDevice = knownDeviceOf(known, user?.id)
  const waitMs = await countLogin(services, email, address, knownDevice)
  if (waitMs > 0) {
    reportSecurityEvent(services, 'sign_in_locked', { email, address })
    return { ok: false, code: 'too_many_logins', waitMs }
  }
  const refuse = () => {
    reportSecurityEvent(services, 'sign_in_failed', { email, address })
    return failure('wrong_credentials')
  }
  const stored = user?.password_hash ?? undefined
  const matches = await verifyPassword(stored ?? (await decoyHash()), password)
  if (user === undefined || stored === undefined || !matches) return refuse()
  const entered = await services.db.transaction(async tx => {
    // The password may have changed during the check.
    const [same] = await tx.query('select id from app_user where id = $1 and password_hash = $2 for update', [
      user.id,
      stored,
    ])
    if (same === undefined) return undefined
    return enter(tx, services, { id: user.id, email }, device, services.clock.now())
  })
  if (entered === undefined) return refuse()
  await loginSucceeded(services, email, address, knownDevice)
  return entered.ok ? success(await issue(services, entered.value)) : entered
}

/** Exchanges the refresh cookie. Reuse long after its exchange ends the session and notifies the owner. */
export async function refresh(
  services: Services,
  token: string | undefined,
  device: DeviceName = unknownDevice,
  address?: string,
): Promise<Result<SignedIn, 'no_session'>> {
  if (token === undefined) return failure('no_session')
  let replayed: { readonly email: string | undefined } | undefined
  const notifyOwner = async (tx: Db, replay: Replay) => {
    replayed = { email: await notifyReplay(tx, services, replay) }
  }
  const rotated = await rotateSession(services.db, sessionTools(services), token, device, notifyOwner)
  if (replayed !== undefined) reportSecurityEvent(services, 'refresh_replayed', { ...replayed, address })
  if (rotated === undefined) return failure('no_session')
  return success(await issue(services, rotated))
}

/** @returns the owner's e-mail address */
async function notifyReplay(
  tx: Db,
  services: Services,
  { sessionId, at }: Replay,
): Promise<string | undefined> {
  const [owner] = await tx.query<{ id: string; email: string; device: string }>(
    `select app_user.id, email, coalesce(device, $2) as device from refresh_token
     join app_user on app_user.id = refresh_token.user_id left join session on session.id = family
     where family = $1 limit 1`,
    [sessionId, unknownDevice.name],
  )
  if (owner === undefined) return undefined
  const template = () => replayEmail(services.publicUrl, { device: owner.device, at })
  const { id: userId, email: to } = owner
  await queueNotice(tx, services, { kind: 'replay', userId, to, name: sessionId, template })
  return to
}

export async function logout(services: Services, token: string | undefined): Promise<void> {
  if (token !== undefined) await endSession(services.db, sessionTools(services), token)
}
