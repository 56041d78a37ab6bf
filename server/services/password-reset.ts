import { failure, type Result, success } from '#lib/result.ts'
import { resetLinkMinutes } from '#lib/rules/account.ts'
import type { Db } from '../db/port.ts'
import { weakPasswordWords } from '../identity/common-passwords.ts'
import { type DeviceName, unknownDevice } from '../identity/device-name.ts'
import { hashPassword, verifyPassword } from '../identity/passwords.ts'
import { endAllSessions, startSession } from '../identity/refresh-token.ts'
import { hashOf } from '../identity/stored-hash.ts'
import { passwordChangedLetter, resetPasswordLetter } from '../mail/password-letters.ts'
import { confirmAddress, undisputedCode } from './confirmation.ts'
import type { Services } from './context.ts'
import { unlinkGoogle } from './google-identity.ts'
import { createLink, voidLinks, withdrawUnowned } from './mailed-links.ts'
import { queueLetter } from './queue-letter.ts'
import { issue, type SignedIn, sessionTools } from './sign-in.ts'
import { takeBackByMail } from './take-back.ts'

/** reliability.md 'Sign-in': 30 minutes. */
const resetMs = resetLinkMinutes * 60_000

interface UserRow {
  readonly id: string
  readonly email: string
  readonly password_hash: string | null
  readonly email_verified_at: Date | null
}

/** A password that may not be chosen, and why, in words for the one who chose it. */
export interface WeakPassword {
  readonly ok: false
  readonly code: 'weak_password'
  readonly message: string
}

/**
 * Mails a link that chooses the account's password, to its address. Where there is no account the work is the same and no
 * mail goes out: strangers get none of us. An account without a password gets one by it.
 */
export async function forgotPassword(services: Services, email: string): Promise<void> {
  await services.db.transaction(async tx => {
    const [user] = await tx.query<{ id: string }>('select id from app_user where email = $1 for update', [
      email,
    ])
    await queueResetLink(tx, services, { email, userId: user?.id ?? null, why: 'forgotten' })
  })
}

/**
 * Queues the mail with the link that chooses a password. With the user locked.
 * @param userId null: the same work, and nothing comes of it
 */
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
  const letter = resetPasswordLetter(services.publicUrl, email, link.token, why)
  await queueLetter(tx, key, email, letter, services.clock.now())
  await withdrawUnowned(tx, 'password_reset', link, key)
}

/** Whose password a mailed link would set now. Whoever has the link reads that person's mail. */
export async function checkResetLink(
  services: Services,
  token: string,
): Promise<Result<{ readonly email: string }, 'link_expired'>> {
  const owner = await findOwner(services, token)
  return owner === undefined ? failure('link_expired') : success({ email: owner.email })
}

/**
 * Sets the password by a mailed link, which also shows whose the address is: it is confirmed, every session ends, all
 * other links are void, and Google opens the account only once the Google account of its address has signed in anew. Where
 * nobody had confirmed the address, and the password is another one than the account was begun with, what was saved
 * there goes too. Signs in on the device that asks.
 */
export async function resetPassword(
  services: Services,
  { token, password }: { readonly token: string; readonly password: string },
  device: DeviceName = unknownDevice,
): Promise<Result<SignedIn, 'link_expired'> | WeakPassword> {
  const owner = await findOwner(services, token)
  if (owner === undefined) return failure('link_expired')
  const message = weakPasswordWords(password, owner.email)
  if (message !== undefined) return { ok: false, code: 'weak_password', message }
  const passwordHash = await hashPassword(password)
  const begunWith = owner.password_hash
  const begunByOwner = begunWith !== null && (await verifyPassword(begunWith, password))
  const hash = hashOf(services.keys.stored, token)
  const session = await services.db.transaction(async tx => {
    const at = services.clock.now()
    // The user before any link: two links of one user opened at once would wait for each other.
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
    // Before what is taken back is gone.
    const code = await undisputedCode(tx, user.id)
    const theirs = begunByOwner && user.password_hash === begunWith
    if (user.email_verified_at === null && !theirs) await takeBackByMail(tx, services, user, at)
    await tx.query('update app_user set password_hash = $2 where id = $1', [user.id, passwordHash])
    await endAllSessions(tx, user.id, at)
    const how = (await unlinkGoogle(tx, user.id)) ? 'reset_from_google' : 'reset'
    await confirmAddress(tx, services, { userId: user.id, code, at })
    await voidLinks(tx, user.id, at)
    const key = `password-changed:${Buffer.from(hash).toString('hex')}`
    await queueLetter(tx, key, user.email, passwordChangedLetter(services.publicUrl, how), at)
    return startSession(tx, sessionTools(services), user.id, device)
  })
  return session === undefined ? failure('link_expired') : success(await issue(services, session))
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
