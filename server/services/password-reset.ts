import { failure, type Result, success } from '#lib/result.ts'
import { weakPasswordWords } from '../identity/common-passwords.ts'
import { type DeviceName, unknownDevice } from '../identity/device-name.ts'
import { hashPassword } from '../identity/passwords.ts'
import { endAllSessions, hashOf, startSession } from '../identity/refresh-token.ts'
import { passwordChangedLetter, resetPasswordLetter } from '../mail/password-letters.ts'
import { confirmAddress, newestChosen } from './confirmation.ts'
import type { Services } from './context.ts'
import { createLink, voidLinks, withdrawUnowned } from './mailed-links.ts'
import { queueLetter } from './queue-letter.ts'
import { issue, type SignedIn, sessionTools } from './sign-in.ts'

/** reliability.md 'Sign-in': 30 minutes. */
const resetMs = 30 * 60_000

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
  const link = createLink(services, resetMs)
  await services.db.transaction(async tx => {
    const [user] = await tx.query<{ id: string }>('select id from app_user where email = $1 for update', [
      email,
    ])
    await tx.query('insert into password_reset (hash, user_id, expires_at) values ($1, $2, $3)', [
      link.hash,
      user?.id ?? null,
      link.expiresAt,
    ])
    const key = `reset-password:${link.name}`
    const letter = resetPasswordLetter(services.publicUrl, email, link.token)
    await queueLetter(tx, key, email, letter, services.clock.now())
    await withdrawUnowned(tx, 'password_reset', link, key)
  })
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
 * Sets the password by a mailed link, which also shows whose the address is: it is confirmed, every session ends, and all
 * other links are void. Signs in on the device that asks.
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
  const hash = hashOf(token)
  const session = await services.db.transaction(async tx => {
    const at = services.clock.now()
    // The user before any link: two links of one user opened at once would wait for each other.
    const [user] = await tx.query<{ id: string; email: string }>(
      'select id, email from app_user where id = (select user_id from password_reset where hash = $1) for update',
      [hash],
    )
    const used = await tx.query(
      `update password_reset set used_at = $2
       where hash = $1 and used_at is null and expires_at > $2 returning user_id`,
      [hash, at],
    )
    if (user === undefined || used.length === 0) return undefined
    await tx.query('update app_user set password_hash = $2 where id = $1', [user.id, passwordHash])
    await endAllSessions(tx, user.id, at)
    const code = (await newestChosen(tx, user.id))?.referralCode ?? null
    await confirmAddress(tx, { userId: user.id, code, at })
    await voidLinks(tx, user.id, at)
    const key = `password-changed:${Buffer.from(hash).toString('hex')}`
    await queueLetter(tx, key, user.email, passwordChangedLetter(services.publicUrl, 'reset'), at)
    return startSession(tx, sessionTools(services), user.id, device)
  })
  return session === undefined ? failure('link_expired') : success(await issue(services, session))
}

async function findOwner(
  { db, clock }: Services,
  token: string,
): Promise<{ readonly email: string } | undefined> {
  const [owner] = await db.query<{ email: string }>(
    `select email from password_reset join app_user on app_user.id = user_id
     where hash = $1 and used_at is null and expires_at > $2`,
    [hashOf(token), clock.now()],
  )
  return owner
}
