import type { Db } from '../db/port.ts'
import { hashOf } from '../identity/stored-hash.ts'
import type { Services } from './context.ts'

/** A link that works once: its token goes into the mail, and only the token's hash into the database. */
export interface MailedLink {
  readonly token: string
  readonly hash: Uint8Array
  /** Names the link in the keys of its mails, and does not open it. */
  readonly name: string
  readonly expiresAt: Date
}

/** @param lifeMs how long it works */
export function createLink({ random, clock, keys }: Services, lifeMs: number): MailedLink {
  const token = Buffer.from(random.bytes(32)).toString('base64url')
  const hash = hashOf(keys.stored, token)
  const expiresAt = new Date(clock.now().getTime() + lifeMs)
  return { token, hash, name: Buffer.from(hash).toString('hex'), expiresAt }
}

/**
 * Takes a link without a user away again, and its mail. Asking for an address without an account writes the same as for
 * one that has one, with the same statements, so that the time it takes tells nothing (reliability row 43); of a link with
 * a user nothing is taken.
 * @param mailKey the key that its letter was queued with
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

/**
 * Makes every link of a user's void that confirms an address or chooses a password: whoever had one mailed before a
 * password or an address was chosen anew has no more say. With the user locked.
 */
export async function voidLinks(tx: Db, userId: string, at: Date): Promise<void> {
  for (const table of ['email_confirmation', 'password_reset', 'email_change']) {
    await tx.query(`update ${table} set used_at = $2 where user_id = $1 and used_at is null`, [userId, at])
  }
}
