import type { VerifiedCallerId } from '#lib/api/caller-id.ts'
import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Services } from './context.ts'

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

/** Whether anybody at all has verified the number. */
export async function isCallerIdOfAnybody(db: Db, number: string): Promise<boolean> {
  const rows = await db.query('select 1 from caller_id where phone_number = $1 limit 1', [number])
  return rows.length > 0
}

/**
 * Takes a number from a user's caller IDs. The telephone network forgets it later, so that a network which is away keeps nobody from removing one.
 * @returns whether the user had it
 */
export async function removeCallerId(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
  number: string,
): Promise<boolean> {
  return db.transaction(async tx => {
    const removed = await tx.query(
      'delete from caller_id where user_id = $1 and phone_number = $2 returning phone_number',
      [userId, number],
    )
    if (removed.length > 0) await enqueue(tx, { kind: 'forget_number', number }, clock.now())
    return removed.length > 0
  })
}

/** Has the telephone network forget a number, unless somebody has it by now. @throws where the network is away */
export async function forgetNumber({ db, telephony }: Services, number: string): Promise<void> {
  if (await isCallerIdOfAnybody(db, number)) return
  const forgotten = await telephony.forgetNumber(number)
  if (!forgotten.ok) throw new Error(forgotten.code)
}
