import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import { hashOf } from '../identity/stored-hash.ts'
import { addressTakenLetter, changeEmailLetter, emailChangedLetter } from '../mail/email-change-letters.ts'
import { confirmAddress, undisputedCode } from './confirmation.ts'
import type { Services } from './context.ts'
import { knowsPassword, lockKnown, type WrongPassword, wrongPassword } from './current-password.ts'
import { hasGoogle, unlinkGoogle } from './google-identity.ts'
import { createLink, voidLinks } from './mailed-links.ts'
import { queueLetter } from './queue-letter.ts'
import { takeMailFrom, takeRegistration } from './sign-in-limits.ts'

/** As a confirmation link: 24 hours. */
const changeMs = 24 * 3600 * 1000

/** No more mails for now. */
export interface TooManyMails {
  readonly ok: false
  readonly code: 'too_many_mails'
  readonly waitMs: number
}

/**
 * Has a link mailed to a new address, which takes the place of one asked for before. The account keeps its address until
 * the link is opened. Says nothing of whether the new address has an account: the same is written, and the mail there
 * tells its owner. The account's own address gives a change up.
 * @param email trimmed and lower-cased
 * @param password empty where the account has none
 * @param place IP address of whoever asks: mails are limited by it, and by where they go, account or not; and the session
 */
export async function changeEmail(
  services: Services,
  userId: string,
  { email, password }: { readonly email: string; readonly password: string },
  { address, sessionId }: { readonly address: string; readonly sessionId: string | undefined },
): Promise<Result<undefined, never> | WrongPassword | TooManyMails> {
  const shown = await knowsPassword(services, userId, password, sessionId)
  if (!shown.ok) return shown
  const waitMs = (await takeMailFrom(services, address)) || (await takeRegistration(services, email))
  if (waitMs > 0) return { ok: false, code: 'too_many_mails', waitMs }
  const link = createLink(services, changeMs)
  return services.db.transaction(async tx => {
    const at = services.clock.now()
    const user = await lockKnown(tx, userId, shown.value)
    if (user === undefined) return wrongPassword
    await voidChange(tx, userId, at)
    if (email === user.email) return success(undefined)
    await tx.query('insert into email_change (hash, user_id, email, expires_at) values ($1, $2, $3, $4)', [
      link.hash,
      userId,
      email,
      link.expiresAt,
    ])
    const { publicUrl } = services
    const taken = await isTaken(tx, email)
    const google = await hasGoogle(tx, userId)
    const letter = taken ? addressTakenLetter(publicUrl) : changeEmailLetter(publicUrl, link.token, google)
    await queueLetter(tx, `change-email:${link.name}`, email, letter, at)
    return success(undefined)
  })
}

/** Gives up a change that waits. Without one there is nothing to do. */
export async function cancelEmailChange({ db, clock }: Services, userId: string): Promise<void> {
  await db.transaction(async tx => {
    await tx.query('select id from app_user where id = $1 for update', [userId])
    await voidChange(tx, userId, clock.now())
  })
}

/**
 * Moves an account to the address that a mailed token was sent to, which confirms it, and tells the old one if that had
 * been confirmed too: one that never was may be a stranger's. All links that went to the old address are void, and Google
 * opens the account no more, until the Google account of the new address signs in: whoever had the old mailbox may have
 * linked the one that was. An account that had nothing else has its password chosen by 'Forgot password?'.
 * @returns `email_taken`: somebody has registered the address meanwhile; the link may be tried again
 */
export async function confirmEmailChange(
  services: Services,
  token: string,
): Promise<Result<{ email: string }, 'link_expired' | 'email_taken'>> {
  try {
    const hash = hashOf(services.keys.stored, token)
    return await services.db.transaction(tx => takeAddress(tx, services, hash))
  } catch (error) {
    // Somebody took the address after we looked: theirs was the first commit.
    if ((error as { code?: unknown }).code === uniqueViolation) return failure('email_taken')
    throw error
  }
}

const uniqueViolation = '23505'

async function takeAddress(
  tx: Db,
  services: Services,
  hash: Uint8Array,
): Promise<Result<{ email: string }, 'link_expired' | 'email_taken'>> {
  const at = services.clock.now()
  // The user before any link, as everywhere.
  const [user] = await tx.query<{ id: string; email: string; email_verified_at: Date | null }>(
    `select id, email, email_verified_at from app_user
     where id = (select user_id from email_change where hash = $1) for update`,
    [hash],
  )
  const [change] = await tx.query<{ email: string }>(
    'select email from email_change where hash = $1 and used_at is null and expires_at > $2',
    [hash, at],
  )
  if (user === undefined || change === undefined) return failure('link_expired')
  const { email } = change
  if (await isTaken(tx, email)) return failure('email_taken')
  await tx.query('update app_user set email = $2 where id = $1', [user.id, email])
  await unlinkGoogle(tx, user.id)
  const code = await undisputedCode(tx, user.id)
  await confirmAddress(tx, services, { userId: user.id, code, at })
  await voidLinks(tx, user.id, at)
  if (user.email_verified_at !== null) {
    const key = `email-changed:${Buffer.from(hash).toString('hex')}`
    await queueLetter(tx, key, user.email, emailChangedLetter(), at)
  }
  return success({ email })
}

async function isTaken(tx: Db, email: string): Promise<boolean> {
  const rows = await tx.query('select id from app_user where email = $1', [email])
  return rows.length > 0
}

async function voidChange(tx: Db, userId: string, at: Date): Promise<void> {
  await tx.query('update email_change set used_at = $2 where user_id = $1 and used_at is null', [userId, at])
}
