import type { Db } from '../../db/port.ts'

export async function hasGoogle(tx: Db, userId: string): Promise<boolean> {
  return (await tx.query('select 1 from google_identity where user_id = $1 limit 1', [userId])).length > 0
}

/**
 * The account stays unlinked until a Google account with its address signs in (ADR-28). The user must be locked.
 * @returns whether one was linked
 */
export async function unlinkGoogle(tx: Db, userId: string): Promise<boolean> {
  return (await tx.query('delete from google_identity where user_id = $1 returning 1', [userId])).length > 0
}
