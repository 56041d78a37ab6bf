import type { Db } from '../db/port.ts'

/** Whether a Google account opens a user's account. */
export async function hasGoogle(tx: Db, userId: string): Promise<boolean> {
  return (await tx.query('select 1 from google_identity where user_id = $1 limit 1', [userId])).length > 0
}

/**
 * Google opens a user's account no more, until a Google account with the account's own address signs in, which links it
 * again (decision 28). With the user locked.
 * @returns whether it did
 */
export async function unlinkGoogle(tx: Db, userId: string): Promise<boolean> {
  return (await tx.query('delete from google_identity where user_id = $1 returning 1', [userId])).length > 0
}
