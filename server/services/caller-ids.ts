import type { VerifiedCallerId } from '#lib/api/caller-id.ts'
import type { Db } from '../db/port.ts'

/** The numbers that this user has verified, oldest first. */
export async function listCallerIds(db: Db, userId: string): Promise<VerifiedCallerId[]> {
  return db.query<VerifiedCallerId>(
    'select phone_number from caller_id where user_id = $1 order by verified_at, phone_number',
    [userId],
  )
}

/** Whether this very user has verified the number, E.164 with the plus (decision 24). */
export async function isCallerIdOf(db: Db, userId: string, number: string): Promise<boolean> {
  const rows = await db.query('select 1 from caller_id where user_id = $1 and phone_number = $2', [
    userId,
    number,
  ])
  return rows.length > 0
}

/** @returns whether the user had it */
export async function removeCallerId(db: Db, userId: string, number: string): Promise<boolean> {
  const removed = await db.query(
    'delete from caller_id where user_id = $1 and phone_number = $2 returning phone_number',
    [userId, number],
  )
  return removed.length > 0
}
