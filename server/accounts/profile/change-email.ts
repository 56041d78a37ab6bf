import { failure, type Result, success } from '#lib/result.ts'
import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { createLink, voidLinks } from '../../identity/mailed-links.ts'
import { endAllSessions } from '../../identity/refresh-token.ts'
import { hashOf } from '../../identity/stored-hash.ts'
import type { BudgetSpent } from '../../limits/reserve.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { hasGoogle, unlinkGoogle } from '../google/google-identity.ts'
import {
  type AskedFrom,
  knowsPassword,
  lockKnown,
  type WrongPassword,
  wrongPassword,
} from '../password/current-password.ts'
import { confirmAddress, undisputedCode } from '../registration/confirmation.ts'
import { reserveMail } from '../registration/mail-budget.ts'
import { addressChangedEmail, addressInUseEmail, changeAddressEmail } from './address-change-emails.ts'

const changeMs = dayMs

export interface TooManyMails {
  readonly ok: false
  readonly code: 'too_many_mails'
  readonly spent: BudgetSpent
}

/**
 * Mails a link to a new address, with the same work and answer if that has an account. The account's own address
 * cancels a pending change. E-mails are limited by recipient and by the requester's IP address.
 * @param email trimmed and lower-cased
 * @param password empty where the account has none
 */
export async function changeEmail(
  services: Services,
  userId: string,
  { email, password }: { readonly email: string; readonly password: string },
  { address, sessionId }: AskedFrom,
): Promise<Result<undefined, never> | WrongPassword | TooManyMails> {
  const shown = await knowsPassword(services, userId, password, { address, sessionId })
  if (!shown.ok) return shown
  const spent = await reserveMail(services, { kind: 'change', email, address, userId })
  if (spent !== undefined) return { ok: false, code: 'too_many_mails', spent }
  const link = createLink(services, changeMs)
  return services.db.transaction(async tx => {
    const at = services.clock.now()
    const user = await lockKnown(tx, userId, shown.value)
    if (user === undefined) return wrongPassword()
    await voidChange(tx, userId, at)
    if (email === user.email) return success(undefined)
    await tx.query(
      'insert into email_change (hash, user_id, email, expires_at, session_id) values ($1, $2, $3, $4, $5)',
      [link.hash, userId, email, link.expiresAt, sessionId ?? null],
    )
    const { publicUrl } = services
    const inUse = await isAddressInUse(tx, email)
    const google = await hasGoogle(tx, userId)
    const template = inUse ? addressInUseEmail(publicUrl) : changeAddressEmail(publicUrl, link.token, google)
    await queueEmail(tx, `change-email:${link.name}`, email, template, at)
    return success(undefined)
  })
}

export async function cancelEmailChange({ db, clock }: Services, userId: string): Promise<void> {
  await db.transaction(async tx => {
    await tx.query('select id from app_user where id = $1 for update', [userId])
    await voidChange(tx, userId, clock.now())
  })
}

/**
 * Moves an account to the address of a mailed token. Notifies the old address if it was confirmed; otherwise it may be
 * a stranger's. Ends other sessions, voids links to the old address, and unlinks Google: whoever had the old mailbox
 * may have linked theirs.
 * @returns `email_taken`: somebody has registered the address meanwhile; the link may be tried again
 */
export async function confirmEmailChange(
  services: Services,
  token: string,
): Promise<Result<{ email: string }, 'link_expired' | 'email_taken'>> {
  try {
    const hash = hashOf(services.keys.stored, token)
    return await services.db.transaction(tx => assignAddress(tx, services, hash))
  } catch (error) {
    // Another account committed with this address after we checked.
    if ((error as { code?: unknown }).code === uniqueViolation) return failure('email_taken')
    throw error
  }
}

const uniqueViolation = '23505'

async function assignAddress(
  tx: Db,
  services: Services,
  hash: Uint8Array,
): Promise<Result<{ email: string }, 'link_expired' | 'email_taken'>> {
  const at = services.clock.now()
  // Locks the user before any link, as everywhere.
  const [user] = await tx.query<{ id: string; email: string; email_verified_at: Date | null }>(
    `select id, email, email_verified_at from app_user
     where id = (select user_id from email_change where hash = $1) for update`,
    [hash],
  )
  const [change] = await tx.query<{ email: string; session_id: string | null }>(
    'select email, session_id from email_change where hash = $1 and used_at is null and expires_at > $2',
    [hash, at],
  )
  if (user === undefined || change === undefined) return failure('link_expired')
  const { email } = change
  if (await isAddressInUse(tx, email)) return failure('email_taken')
  await tx.query('update app_user set email = $2 where id = $1', [user.id, email])
  await unlinkGoogle(tx, user.id)
  await endAllSessions(tx, user.id, at, change.session_id ?? undefined)
  const code = await undisputedCode(tx, user.id)
  await confirmAddress(tx, services, { userId: user.id, code, at })
  await voidLinks(tx, user.id, at)
  if (user.email_verified_at !== null) {
    const key = `email-changed:${Buffer.from(hash).toString('hex')}`
    await queueEmail(tx, key, user.email, addressChangedEmail(), at)
  }
  return success({ email })
}

async function isAddressInUse(tx: Db, email: string): Promise<boolean> {
  const rows = await tx.query('select id from app_user where email = $1', [email])
  return rows.length > 0
}

async function voidChange(tx: Db, userId: string, at: Date): Promise<void> {
  await tx.query('update email_change set used_at = $2 where user_id = $1 and used_at is null', [userId, at])
}
