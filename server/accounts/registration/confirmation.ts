import { dayMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { createLink, withdrawUnowned } from '../../identity/mailed-links.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { attribute } from '../../referrals/referrals.ts'
import { inherit } from '../deletion/former-address.ts'
import { confirmAddressEmail } from './registration-emails.ts'

/** REL-54. */
const confirmationMs = dayMs

export interface Chosen {
  /** Null for an account without a password. */
  readonly passwordHash: string | null
  readonly referralCode: string | null
}

async function openChosen(tx: Db, userId: string | null): Promise<Chosen[]> {
  const rows = await tx.query<{ password_hash: string | null; referral_code: string | null }>(
    `select password_hash, referral_code from email_confirmation where user_id = $1 and used_at is null
     order by expires_at desc`,
    [userId],
  )
  return rows.map(row => ({ passwordHash: row.password_hash, referralCode: row.referral_code }))
}

/** `disputed`: several passwords were chosen, counting the account's, so the mailbox's owner has to choose. */
export async function newestChosen(
  tx: Db,
  userId: string | null,
  accountHash: string | null,
): Promise<'disputed' | Chosen | undefined> {
  const open = await openChosen(tx, userId)
  const hashes = new Set([accountHash, ...open.map(({ passwordHash }) => passwordHash)])
  hashes.delete(null)
  return hashes.size > 1 ? 'disputed' : open[0]
}

/** The referral code of the open confirmations, if they all come from one person. */
export async function undisputedCode(tx: Db, userId: string): Promise<string | null> {
  const chosen = await newestChosen(tx, userId, null)
  return chosen === undefined || chosen === 'disputed' ? null : chosen.referralCode
}

/** Queues the confirmation e-mail. The user must be locked. @param userId null: same work, no effect */
export async function queueConfirmation(
  tx: Db,
  services: Services,
  { email, userId, passwordHash, referralCode }: Chosen & { email: string; userId: string | null },
): Promise<void> {
  const link = createLink(services, confirmationMs)
  await tx.query(
    `insert into email_confirmation (hash, user_id, password_hash, referral_code, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [link.hash, userId, passwordHash, referralCode, link.expiresAt],
  )
  const key = `confirm-email:${link.name}`
  const template = confirmAddressEmail(services.publicUrl, link.token)
  await queueEmail(tx, key, email, template, services.clock.now())
  await withdrawUnowned(tx, 'email_confirmation', link, key)
}

/**
 * Every account passes here before it may call. The first time, it inherits the state of a deleted account of its
 * address, and its referral counts. The user must be locked.
 */
export async function confirmAddress(
  tx: Db,
  services: Services,
  { userId, code, at }: { readonly userId: string; readonly code: string | null; readonly at: Date },
): Promise<void> {
  const [confirmed] = await tx.query<{ email: string }>(
    'update app_user set email_verified_at = $2 where id = $1 and email_verified_at is null returning email',
    [userId, at],
  )
  if (confirmed === undefined) return
  await inherit(tx, services, userId, confirmed.email)
  if (code !== null) await attribute(tx, { userId, code, at })
}
