import type { Db } from '../../db/port.ts'

export async function hasGoogle(tx: Db, userId: string): Promise<boolean> {
  return (await tx.query('select 1 from google_identity where user_id = $1 limit 1', [userId])).length > 0
}

/** Lasts until a Google account of this address signs in (ADR-28). Lock the user. @returns whether one was linked */
export async function unlinkGoogle(tx: Db, userId: string): Promise<boolean> {
  return (await tx.query('delete from google_identity where user_id = $1 returning 1', [userId])).length > 0
}
