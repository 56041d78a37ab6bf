import type { Db } from '../db/port.ts'
import { confirmEmailLetter } from '../mail/letters.ts'
import type { Services } from './context.ts'
import { inherit } from './delete-account/former-address.ts'
import { createLink, withdrawUnowned } from './mailed-links.ts'
import { queueLetter } from './queue-letter.ts'
import { attribute } from './referral-attribution.ts'

/** reliability.md 'Sign-in': a confirmation link works for 24 hours. */
const confirmationMs = 24 * 3600 * 1000

/** What whoever asked for a confirmation chose or brought with them. */
export interface Chosen {
  /** Null: none, for an account without one. */
  readonly passwordHash: string | null
  readonly referralCode: string | null
}

/** What came with the confirmations of an account that are still open, newest first. */
async function openChosen(tx: Db, userId: string | null): Promise<Chosen[]> {
  const rows = await tx.query<{ password_hash: string | null; referral_code: string | null }>(
    `select password_hash, referral_code from email_confirmation where user_id = $1 and used_at is null
     order by expires_at desc`,
    [userId],
  )
  return rows.map(row => ({ passwordHash: row.password_hash, referralCode: row.referral_code }))
}

/**
 * What came with the newest confirmation that is still open: what its asker chose, which need not be the account's, if
 * somebody else had registered the address before. `disputed` where more than one password was chosen, the account's among
 * them: whose is whose nobody knows until the owner of the mailbox chooses.
 * @param accountHash the account's own password
 */
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

/** The referral link that came with the open confirmations, if they are all one person's. */
export async function undisputedCode(tx: Db, userId: string): Promise<string | null> {
  const chosen = await newestChosen(tx, userId, null)
  return chosen === undefined || chosen === 'disputed' ? null : chosen.referralCode
}

/**
 * Queues the mail with the link that confirms an address. With the user locked.
 * @param userId null: the same work, and nothing comes of it
 */
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
  const letter = confirmEmailLetter(services.publicUrl, link.token)
  await queueLetter(tx, key, email, letter, services.clock.now())
  await withdrawUnowned(tx, 'email_confirmation', link, key)
}

/**
 * The owner of a user's address has shown that it is theirs. The first time, the account begins as a deleted one of this
 * address ended, which is nobody else's to see, and the link that brought them here counts. Every account comes by here
 * before it may call. With the user locked.
 * @param code of the referral link, null if there was none
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
