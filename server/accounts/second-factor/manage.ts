import { encode } from 'uqr'
import type { Security } from '#lib/api/second-factor.ts'
import { company } from '#lib/company.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { hourMs } from '#lib/time.ts'
import { secondFactorPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { seal, unseal } from '../../identity/seal.ts'
import { base32, otpauthUri, stepOf } from '../../identity/totp.ts'
import { findUser } from '../../identity/users.ts'
import { queueNotice } from '../../mail/queue-email.ts'
import type { SecurityEvent } from '../../observability/port.ts'
import { reportSecurityEvent } from '../../observability/security-events.ts'
import { type Known, lockKnown } from '../password/current-password.ts'
import { dropUselessCodes, hasSecondFactor, plain, readSecurity, replaceRecoveryCodes } from './factors.ts'
import { creationOptions, verifyCreation } from './passkeys.ts'
import { type FactorChange, secondFactorEmail } from './second-factor-emails.ts'
import { beginStep, endStep, findStep } from './steps.ts'

/** RFC 4226, 4: at least 128 bits, 160 recommended. */
const secretBytes = 20
/** Time to finish setting up an authenticator app. */
const pendingMs = hourMs

export interface Changer {
  readonly userId: string
  readonly sessionId: string | undefined
  /** IP address as reported by our trusted proxies. */
  readonly address: string
}

/** @param recoveryCodes null: the existing codes stay valid */
export interface ChangedSecurity {
  readonly security: Security
  readonly recoveryCodes: string[] | null
}

/** The password changed during the check: the old one no longer counts. */
type Outdated = 'wrong_password'

/** @returns the browser's options and the cookie's value */
export async function startPasskey(
  services: Services,
  { userId }: Changer,
  known: Known,
): Promise<Result<{ options: object; step: string }, Outdated | 'too_many_passkeys'>> {
  return services.db.transaction(async tx => {
    const user = await lockKnown(tx, userId, known)
    if (user === undefined) return failure('wrong_password')
    if (!(await hasRoom(tx, userId))) return failure('too_many_passkeys')
    const options = await creationOptions(tx, services, { id: userId, email: user.email })
    const { challenge } = options
    const step = { kind: 'new_passkey', userId, challenge } as const
    return success({ options, step: await beginStep(tx, services, step) })
  })
}

/** Adds the passkey that the browser created. The step is the proof: only the account's owner can have begun it. */
export async function addPasskey(
  services: Services,
  changer: Changer,
  token: string | undefined,
  { response, name }: { readonly response: unknown; readonly name: string },
): Promise<Result<ChangedSecurity, 'passkey_refused' | 'step_expired' | 'too_many_passkeys'>> {
  const { db, random } = services
  const { userId } = changer
  const step = await findStep(db, services, token)
  if (
    token === undefined ||
    step?.kind !== 'new_passkey' ||
    step.userId !== userId ||
    step.challenge === null
  )
    return failure('step_expired')
  const made = await verifyCreation(services, response, step.challenge)
  if (made === undefined) return failure('passkey_refused')
  return change(services, changer, { what: 'passkey_added', name }, async tx => {
    if (!(await endStep(tx, services, token))) return failure('step_expired')
    if (!(await hasRoom(tx, userId))) return failure('too_many_passkeys')
    const first = !(await hasSecondFactor(tx, userId))
    const added = await tx.query(
      `insert into passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning id`,
      [
        random.uuid(),
        userId,
        made.credentialId,
        made.publicKey,
        made.signCount,
        made.transports,
        name,
        services.clock.now(),
      ],
    )
    if (added.length === 0) return failure('passkey_refused')
    return success(first ? await replaceRecoveryCodes(tx, services, userId) : null)
  })
}

/** @returns undefined if the passkey is not this user's */
export async function removePasskey(
  services: Services,
  changer: Changer,
  known: Known,
  id: string,
): Promise<Result<ChangedSecurity, Outdated> | undefined> {
  const [own] = await services.db.query<{ name: string }>(
    'select name from passkey where id::text = $1 and user_id = $2',
    [id, changer.userId],
  )
  if (own === undefined) return undefined
  return change(services, changer, { what: 'passkey_removed', name: own.name }, async tx => {
    if ((await lockKnown(tx, changer.userId, known)) === undefined) return failure('wrong_password')
    await tx.query('delete from passkey where id = $1 and user_id = $2', [id, changer.userId])
    await dropUselessCodes(tx, changer.userId)
    return success(null)
  })
}

export interface AuthenticatorSetUp {
  readonly secret: string
  readonly uri: string
  readonly qr: { readonly size: number; readonly path: string }
}

/** Creates a secret for an authenticator app. The current one works until the new one has shown a code. */
export async function startAuthenticator(
  services: Services,
  { userId }: Changer,
  known: Known,
): Promise<Result<AuthenticatorSetUp, Outdated>> {
  const { db, random, keys, clock } = services
  const secret = random.bytes(secretBytes)
  return db.transaction(async tx => {
    const user = await lockKnown(tx, userId, known)
    if (user === undefined) return failure('wrong_password')
    await tx.query(
      `insert into authenticator_app (user_id, pending, pending_at) values ($1, $2, $3)
       on conflict (user_id) do update set pending = excluded.pending, pending_at = excluded.pending_at`,
      [userId, seal(keys.authenticator, secret, random), clock.now()],
    )
    const uri = otpauthUri(company.name, user.email, secret)
    return success({ secret: base32(secret), uri, qr: qrOf(uri) })
  })
}

export async function confirmAuthenticator(
  services: Services,
  changer: Changer,
  typed: string,
): Promise<Result<ChangedSecurity, 'wrong_code' | 'step_expired'>> {
  const { userId } = changer
  return change(services, changer, { what: 'authenticator_added' }, async tx => {
    const at = services.clock.now()
    const [app] = await tx.query<{ pending: Uint8Array }>(
      'select pending from authenticator_app where user_id = $1 and pending is not null and pending_at > $2',
      [userId, new Date(at.getTime() - pendingMs)],
    )
    const secret = app && unseal(services.keys.authenticator, app.pending)
    if (app === undefined || secret === undefined) return failure('step_expired')
    const step = stepOf(secret, plain(typed), at, 0)
    if (step === undefined) return failure('wrong_code')
    const first = !(await hasSecondFactor(tx, userId))
    await tx.query(
      `update authenticator_app set secret = pending, pending = null, pending_at = null, confirmed_at = $2,
         last_used_at = null, last_step = $3 where user_id = $1`,
      [userId, at, step],
    )
    return success(first ? await replaceRecoveryCodes(tx, services, userId) : null)
  })
}

export async function removeAuthenticator(
  services: Services,
  changer: Changer,
  known: Known,
): Promise<Result<ChangedSecurity, Outdated>> {
  const { userId } = changer
  return change(services, changer, { what: 'authenticator_removed' }, async tx => {
    if ((await lockKnown(tx, userId, known)) === undefined) return failure('wrong_password')
    const gone = await tx.query<{ worked: boolean }>(
      'delete from authenticator_app where user_id = $1 returning confirmed_at is not null as worked',
      [userId],
    )
    await dropUselessCodes(tx, userId)
    return gone[0]?.worked === true ? success(null) : success('nothing')
  })
}

export async function makeRecoveryCodes(
  services: Services,
  changer: Changer,
  known: Known,
): Promise<Result<ChangedSecurity, Outdated | 'no_second_factor'>> {
  const { userId } = changer
  return change(services, changer, { what: 'recovery_codes_made' }, async tx => {
    if ((await lockKnown(tx, userId, known)) === undefined) return failure('wrong_password')
    if (!(await hasSecondFactor(tx, userId))) return failure('no_second_factor')
    return success(await replaceRecoveryCodes(tx, services, userId))
  })
}

const events: Readonly<Record<FactorChange['what'], SecurityEvent>> = {
  passkey_added: 'second_factor_added',
  passkey_removed: 'second_factor_removed',
  authenticator_added: 'second_factor_added',
  authenticator_removed: 'second_factor_removed',
  recovery_codes_made: 'recovery_codes_made',
  recovery_code_used: 'recovery_code_used',
  reset: 'second_factor_reset',
}

/** Locks the user, makes a change, notifies the owner and records an event. @param work `nothing`: unchanged */
async function change<Code extends string>(
  services: Services,
  { userId, sessionId, address }: Changer,
  changed: { readonly what: FactorChange['what']; readonly name?: string },
  work: (tx: Db) => Promise<Result<string[] | null | 'nothing', Code>>,
): Promise<Result<ChangedSecurity, Code>> {
  const email = (await findUser(services.db, userId))?.email ?? ''
  const done = await services.db.transaction(async tx => {
    await tx.query('select id from app_user where id = $1 for update', [userId])
    const worked = await work(tx)
    if (!worked.ok) return worked
    if (worked.value !== 'nothing') {
      const template = () => secondFactorEmail(services.publicUrl, { ...changed, at: services.clock.now() })
      const name = services.random.uuid()
      await queueNotice(tx, services, { kind: 'second-factor', userId, to: email, name, template })
    }
    const security = await readSecurity(tx, userId, sessionId)
    return success({ security, recoveryCodes: worked.value })
  })
  if (!done.ok) return done
  const { security, recoveryCodes } = done.value
  if (recoveryCodes === 'nothing') return success({ security, recoveryCodes: null })
  reportSecurityEvent(services, events[changed.what], { email, address })
  return success({ security, recoveryCodes })
}

async function hasRoom(tx: Db, userId: string): Promise<boolean> {
  const passkeys = await tx.query('select 1 from passkey where user_id = $1', [userId])
  return passkeys.length < secondFactorPolicy.maxPasskeys
}

/** SVG path of the dark modules, with a quiet zone of four modules (ISO/IEC 18004). */
function qrOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 4 })
  const parts: string[] = []
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) parts.push(`M${x} ${y}h1v1h-1z`)
    })
  })
  return { size, path: parts.join('') }
}
