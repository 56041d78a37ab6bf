import type { VerifiedCallerId } from '#lib/api/caller-id.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'

export async function listCallerIds(db: Db, userId: string): Promise<VerifiedCallerId[]> {
  return db.query<VerifiedCallerId>(
    'select phone_number from caller_id where user_id = $1 order by verified_at, phone_number',
    [userId],
  )
}

/** Whether this user has verified the number, E.164 with the plus (PD-24). */
export async function isCallerIdOf(db: Db, userId: string, number: string): Promise<boolean> {
  const rows = await db.query('select 1 from caller_id where user_id = $1 and phone_number = $2', [
    userId,
    number,
  ])
  return rows.length > 0
}

export async function isCallerIdOfAnybody(db: Db, number: string): Promise<boolean> {
  const rows = await db.query('select 1 from caller_id where phone_number = $1 limit 1', [number])
  return rows.length > 0
}

/** Removes a caller ID; a job informs the carrier, which may be unavailable. @returns whether the user had it */
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

/** Has the carrier delete a number, unless some user has it by now. @throws if the carrier is unavailable */
export async function forgetNumber({ db, telephony }: Services, number: string): Promise<void> {
  if (await isCallerIdOfAnybody(db, number)) return
  const forgotten = await telephony.forgetNumber(number)
  if (!forgotten.ok) throw new Error(forgotten.code)
}
