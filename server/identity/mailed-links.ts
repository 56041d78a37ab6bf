import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { hashOf } from './stored-hash.ts'

/** A link that works once: the token goes into the e-mail, and only its hash into the database. */
export interface MailedLink {
  readonly token: string
  readonly hash: Uint8Array
  /** Names the link in the keys of its e-mails; does not open it. */
  readonly name: string
  readonly expiresAt: Date
}

/** @param lifeMs how long the link works */
export function createLink({ random, clock, keys }: Services, lifeMs: number): MailedLink {
  const token = Buffer.from(random.bytes(32)).toString('base64url')
  const hash = hashOf(keys.stored, token)
  const expiresAt = new Date(clock.now().getTime() + lifeMs)
  return { token, hash, name: Buffer.from(hash).toString('hex'), expiresAt }
}

/**
 * Removes a link without a user. Run with and without an account alike, so that timing reveals nothing (REL-43).
 * @param mailKey the key that its e-mail was queued with
 */
export async function withdrawUnowned(
  tx: Db,
  table: 'email_confirmation' | 'password_reset',
  { hash }: MailedLink,
  mailKey: string,
): Promise<void> {
  await tx.query(
    `with unowned as (delete from ${table} where hash = $1 and user_id is null returning hash)
     delete from job where key = $2 and exists (select from unowned)`,
    [hash, `mail:${mailKey}`],
  )
}

/** Voids a user's links after a password or address was chosen anew. The user must be locked. */
export async function voidLinks(tx: Db, userId: string, at: Date): Promise<void> {
  for (const table of ['email_confirmation', 'password_reset', 'email_change']) {
    await tx.query(`update ${table} set used_at = $2 where user_id = $1 and used_at is null`, [userId, at])
  }
}
