import type { Db } from '../db/port.ts'
import { confirmEmailLetter } from '../mail/letters.ts'
import type { Services } from './context.ts'
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

/**
 * What came with the newest confirmation that is still open: what its asker just chose, which need not
 * be the account's, if somebody else had registered the address before.
 */
export async function newestChosen(tx: Db, userId: string | null): Promise<Chosen | undefined> {
  const [newest] = await tx.query<{ password_hash: string | null; referral_code: string | null }>(
    `select password_hash, referral_code from email_confirmation where user_id = $1 and used_at is null
     order by expires_at desc limit 1`,
    [userId],
  )
  return newest && { passwordHash: newest.password_hash, referralCode: newest.referral_code }
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
 * The owner of a user's address has opened a link that was mailed to it. The first time, the link that brought them here
 * counts. With the user locked.
 * @param code of the referral link, null if there was none
 */
export async function confirmAddress(
  tx: Db,
  { userId, code, at }: { readonly userId: string; readonly code: string | null; readonly at: Date },
): Promise<void> {
  const [confirmed] = await tx.query<{ id: string }>(
    'update app_user set email_verified_at = $2 where id = $1 and email_verified_at is null returning id',
    [userId, at],
  )
  if (confirmed !== undefined && code !== null) await attribute(tx, { userId, code, at })
}
