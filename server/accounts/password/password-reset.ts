import { resetLinkMinutes } from '#lib/account/account.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { minuteMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { type DeviceName, unknownDevice } from '../../identity/device-name.ts'
import { createLink, voidLinks, withdrawUnowned } from '../../identity/mailed-links.ts'
import { hashPassword, verifyPassword } from '../../identity/passwords.ts'
import { endAllSessions, startSession } from '../../identity/refresh-token.ts'
import { hashOf } from '../../identity/stored-hash.ts'
import { weakPasswordMessage } from '../../identity/weak-password.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { unlinkGoogle } from '../google/google-identity.ts'
import { confirmAddress, undisputedCode } from '../registration/confirmation.ts'
import { reclaimAccountByMail } from '../registration/reclaim-account.ts'
import { hasSecondFactor } from '../second-factor/factors.ts'
import { type SecondStep, secondStep } from '../second-factor/second-step.ts'
import { issue, type SignedIn, sessionTools } from '../sign-in/open-session.ts'
import { passwordChangedEmail, resetPasswordEmail } from './password-emails.ts'

/** REL-54. */
const resetMs = resetLinkMinutes * minuteMs

interface UserRow {
  readonly id: string
  readonly email: string
  readonly password_hash: string | null
  readonly email_verified_at: Date | null
}

export interface WeakPassword {
  readonly ok: false
  readonly code: 'weak_password'
  readonly message: string
}

/** Mails a link to set a password. Without an account, the work is the same but no e-mail is sent. */
export async function forgotPassword(services: Services, email: string): Promise<void> {
  await services.db.transaction(async tx => {
    const [user] = await tx.query<{ id: string }>('select id from app_user where email = $1 for update', [
      email,
    ])
    await queueResetLink(tx, services, { email, userId: user?.id ?? null, why: 'forgotten' })
  })
}

/** Queues the reset e-mail. The user must be locked. @param userId null: same work, no effect */
export async function queueResetLink(
  tx: Db,
  services: Services,
  { email, userId, why }: { email: string; userId: string | null; why: 'forgotten' | 'disputed' },
): Promise<void> {
  const link = createLink(services, resetMs)
  await tx.query('insert into password_reset (hash, user_id, expires_at) values ($1, $2, $3)', [
    link.hash,
    userId,
    link.expiresAt,
  ])
  const key = `reset-password:${link.name}`
  const template = resetPasswordEmail(services.publicUrl, email, link.token, why)
  await queueEmail(tx, key, email, template, services.clock.now())
  await withdrawUnowned(tx, 'password_reset', link, key)
}

/** The address whose password a mailed link would set. Whoever has the link can read that person's e-mail. */
export async function checkResetLink(
  services: Services,
  token: string,
): Promise<Result<{ readonly email: string }, 'link_expired'>> {
  const owner = await findOwner(services, token)
  return owner === undefined ? failure('link_expired') : success({ email: owner.email })
}

/**
 * Sets the password by a mailed link, which also confirms the address. Ends every session, voids other links, and
 * unlinks Google until the Google account of this address signs in. Reclaims an unconfirmed account that has another
 * password. Asks for the second factor, if any: a mailbox is not enough.
 */
export async function resetPassword(
  services: Services,
  { token, password }: { readonly token: string; readonly password: string },
  device: DeviceName = unknownDevice,
): Promise<Result<SignedIn, 'link_expired'> | WeakPassword | SecondStep> {
  const owner = await findOwner(services, token)
  if (owner === undefined) return failure('link_expired')
  const message = weakPasswordMessage(password, owner.email)
  if (message !== undefined) return { ok: false, code: 'weak_password', message }
  const passwordHash = await hashPassword(password)
  const begunWith = owner.password_hash
  const begunByOwner = begunWith !== null && (await verifyPassword(begunWith, password))
  const hash = hashOf(services.keys.stored, token)
  const entered = await services.db.transaction(async tx => {
    const at = services.clock.now()
    // Locks the user before any link: two links of one user, opened at once, would deadlock.
    const [user] = await tx.query<UserRow>(
      `select id, email, password_hash, email_verified_at from app_user
       where id = (select user_id from password_reset where hash = $1) for update`,
      [hash],
    )
    const used = await tx.query(
      `update password_reset set used_at = $2
       where hash = $1 and used_at is null and expires_at > $2 returning user_id`,
      [hash, at],
    )
    if (user === undefined || used.length === 0) return undefined
    // Read before the reclaim deletes it.
    const code = await undisputedCode(tx, user.id)
    const theirs = begunByOwner && user.password_hash === begunWith
    if (user.email_verified_at === null && !theirs) await reclaimAccountByMail(tx, services, user, at)
    await tx.query('update app_user set password_hash = $2 where id = $1', [user.id, passwordHash])
    await endAllSessions(tx, user.id, at)
    const how = (await unlinkGoogle(tx, user.id)) ? 'reset_from_google' : 'reset'
    await confirmAddress(tx, services, { userId: user.id, code, at })
    await voidLinks(tx, user.id, at)
    const key = `password-changed:${Buffer.from(hash).toString('hex')}`
    await queueEmail(tx, key, user.email, passwordChangedEmail(services.publicUrl, how), at)
    if (await hasSecondFactor(tx, user.id)) return secondStep(tx, services, user.id)
    const proof = { provedAt: at, secondFactorAt: null }
    return success(await startSession(tx, sessionTools(services), user.id, device, proof))
  })
  if (entered === undefined) return failure('link_expired')
  return entered.ok ? success(await issue(services, entered.value)) : entered
}

async function findOwner(
  { db, clock, keys }: Services,
  token: string,
): Promise<{ readonly email: string; readonly password_hash: string | null } | undefined> {
  const [owner] = await db.query<{ email: string; password_hash: string | null }>(
    `select email, password_hash from password_reset join app_user on app_user.id = user_id
     where hash = $1 and used_at is null and expires_at > $2`,
    [hashOf(keys.stored, token), clock.now()],
  )
  return owner
}
