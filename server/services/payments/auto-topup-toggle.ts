import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'

/**
 * Turns auto top-up on or off, and forgets what failed before. On needs a card that was kept.
 * @returns how it stands
 */
export async function setAutoTopUp(
  { db }: Services,
  userId: string,
  enabled: boolean,
): Promise<Result<boolean, 'no_saved_card'>> {
  const rows = await db.query(
    `update app_user set auto_topup_enabled = $2, auto_topup_failures = 0, auto_topup_trouble = null
     where id = $1 and (not $2 or has_saved_payment_method) returning id`,
    [userId, enabled],
  )
  return rows.length === 1 ? success(enabled) : failure('no_saved_card')
}
