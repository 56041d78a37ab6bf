import { failure, type Result, success } from '#lib/result.ts'
import { secondFactorPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { DeviceName } from '../../identity/device-name.ts'
import type { IssuedRefreshToken } from '../../identity/refresh-token.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import { reportSecurityEvent } from '../../observability/security-events.ts'
import { issue, openSession, type SignedIn } from '../sign-in/open-session.ts'
import { type KnownBrowser, knownDeviceOf } from '../sign-in/sign-in-limits.ts'
import { codeWasRight, notifyOwner, takeCodeAttempt } from './code-limits.ts'
import { consumeCode, hasSecondFactor, readSecurity } from './factors.ts'
import { notePasskeyUse, requestOptions, verifyAssertion } from './passkeys.ts'
import { secondFactorEmail } from './second-factor-emails.ts'
import { beginStep, endStep, findStep, setChallenge } from './steps.ts'

export interface SecondStep {
  readonly ok: false
  readonly code: 'second_factor_required'
  readonly step: string
}

/** @param waitMs until the next code is allowed @param onKnownDevice only this browser's codes were counted */
export interface TooManyCodes {
  readonly ok: false
  readonly code: 'too_many_codes'
  readonly waitMs: number
  readonly onKnownDevice: boolean
}

interface Owner {
  readonly id: string
  readonly email: string
}

/**
 * Returns a session, or the second step if the account has a second factor. The user must be locked.
 * @param provedAt when the user proved their identity; null: they did not
 */
export async function enter(
  tx: Db,
  services: Services,
  user: Owner,
  device: DeviceName,
  provedAt: Date | null,
): Promise<{ readonly ok: true; readonly value: IssuedRefreshToken } | SecondStep> {
  if (await hasSecondFactor(tx, user.id)) return secondStep(tx, services, user.id)
  return success(await openSession(tx, services, user, device, { provedAt, secondFactorAt: null }))
}

export async function secondStep(tx: Db, services: Services, userId: string): Promise<SecondStep> {
  const step = await beginStep(tx, services, { kind: 'second_factor', userId, challenge: null })
  return { ok: false, code: 'second_factor_required', step }
}

/** Lists the factors usable for the second step. Each request gets a new challenge. */
export async function startSecondFactor(
  services: Services,
  token: string | undefined,
): Promise<
  Result<{ passkey: object | null; authenticator: boolean; recoveryCodes: boolean }, 'step_expired'>
> {
  const { db } = services
  const step = await findStep(db, services, token)
  if (token === undefined || step?.kind !== 'second_factor' || step.userId === null)
    return failure('step_expired')
  const { passkeys, authenticator, recoveryCodesLeft } = await readSecurity(db, step.userId, undefined)
  const passkey = passkeys.length > 0 ? await requestOptions(db, services, step.userId) : null
  if (passkey !== null) await setChallenge(db, services, token, passkey.challenge)
  return success({
    passkey,
    authenticator: authenticator !== null,
    recoveryCodes: (recoveryCodesLeft ?? 0) > 0,
  })
}

/** Begins a sign-in with a passkey alone. @returns the browser's options and the cookie's value */
export async function startPasskeySignIn(services: Services): Promise<{ options: object; step: string }> {
  const options = await requestOptions(services.db, services)
  const { challenge } = options
  const step = { kind: 'passkey', userId: null, challenge } as const
  return { options, step: await beginStep(services.db, services, step) }
}

interface Place {
  readonly device: DeviceName
  readonly address: string
}

/** Signs in with a passkey, alone or as second step: it verifies its user, so it counts as both factors. */
export async function signInWithPasskey(
  services: Services,
  token: string | undefined,
  response: unknown,
  { device, address }: Place,
): Promise<Result<SignedIn, 'passkey_refused' | 'passkey_unknown' | 'step_expired'>> {
  const { db, clock } = services
  const step = await findStep(db, services, token)
  if (token === undefined || step === undefined || step.kind === 'new_passkey' || step.challenge === null)
    return failure('step_expired')
  const event = step.kind === 'passkey' ? 'sign_in_failed' : 'second_factor_failed'
  const refuse = async (code: 'passkey_refused' | 'passkey_unknown' = 'passkey_refused') => {
    const email = step.userId === null ? undefined : await emailOf(db, step.userId)
    reportSecurityEvent(services, event, { email, address })
    return failure(code)
  }
  const shown = await verifyAssertion(db, services, response, step.challenge)
  if (shown === 'unknown') return refuse('passkey_unknown')
  if (shown === 'invalid' || (step.userId !== null && step.userId !== shown.userId)) return refuse()
  const session = await db.transaction(async tx => {
    const user = await lockLiving(tx, shown.userId)
    if (!(await endStep(tx, services, token))) return 'step_expired'
    const at = clock.now()
    if (user === undefined || !(await notePasskeyUse(tx, shown, at))) return undefined
    return openSession(tx, services, user, device, { provedAt: at, secondFactorAt: at })
  })
  if (session === 'step_expired') return failure(session)
  return session === undefined ? refuse() : success(await issue(services, session))
}

/** Second step with a code from the app, or a recovery code, whose use is notified to the owner. */
export async function signInWithCode(
  services: Services,
  token: string | undefined,
  code: string,
  { device, address, known }: Place & { readonly known?: KnownBrowser | undefined },
): Promise<Result<SignedIn, 'wrong_code' | 'step_expired'> | TooManyCodes> {
  const { db, clock } = services
  const step = await findStep(db, services, token)
  if (token === undefined || step?.kind !== 'second_factor' || step.userId === null)
    return failure('step_expired')
  const { userId } = step
  const email = await emailOf(db, userId)
  const knownDevice = knownDeviceOf(known, userId)
  const { waitMs, wrongToday } = await takeCodeAttempt(services, userId, knownDevice)
  if (waitMs > 0) {
    reportSecurityEvent(services, 'second_factor_locked', { email, address })
    return { ok: false, code: 'too_many_codes', waitMs, onKnownDevice: knownDevice !== undefined }
  }
  const done = await db.transaction(async tx => {
    const user = await lockLiving(tx, userId)
    if (user === undefined || (await findStep(tx, services, token)) === undefined) return 'step_expired'
    const used = await consumeCode(tx, services, userId, code)
    if (used === undefined) return undefined
    await endStep(tx, services, token)
    const at = clock.now()
    const session = await openSession(tx, services, user, device, { provedAt: at, secondFactorAt: at })
    if (used === 'recovery_code') {
      const { recoveryCodesLeft } = await readSecurity(tx, userId, undefined)
      const template = () =>
        secondFactorEmail(services.publicUrl, {
          what: 'recovery_code_used',
          left: recoveryCodesLeft ?? 0,
          at,
        })
      const name = services.random.uuid()
      await queueNotice(tx, services, { kind: 'second-factor', userId, to: user.email, name, template })
    }
    return { used, session }
  })
  if (done === 'step_expired') return failure(done)
  if (done === undefined) {
    reportSecurityEvent(services, 'second_factor_failed', { email, address })
    if (wrongToday >= secondFactorPolicy.maxCodes) await notifyOwner(services, userId)
    return failure('wrong_code')
  }
  await codeWasRight(services, userId, knownDevice)
  if (done.used === 'recovery_code') reportSecurityEvent(services, 'recovery_code_used', { email, address })
  return success(await issue(services, done.session))
}

async function emailOf(db: Db, userId: string): Promise<string | undefined> {
  const [user] = await db.query<{ email: string }>('select email from app_user where id = $1', [userId])
  return user?.email
}

async function lockLiving(tx: Db, userId: string): Promise<Owner | undefined> {
  const [user] = await tx.query<Owner>(
    'select id, email from app_user where id = $1 and deleted_at is null for update',
    [userId],
  )
  return user
}
