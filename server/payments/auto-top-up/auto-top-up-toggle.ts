import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'

/** On requires a saved card. Off also covers unpaid checkouts opened with it, so that a late event cannot turn it on again. */
export async function setAutoTopUp(
  { db }: Services,
  userId: string,
  enabled: boolean,
): Promise<Result<boolean, 'no_saved_card'>> {
  return db.transaction(async tx => {
    const rows = await tx.query(
      `update app_user set auto_topup_enabled = $2, auto_topup_failures = 0, auto_topup_trouble = null
       where id = $1 and (not $2 or has_saved_payment_method) returning id`,
      [userId, enabled],
    )
    if (rows.length !== 1) return failure('no_saved_card')
    if (!enabled) {
      await tx.query(
        `update payment set saves_card = false
         where user_id = $1 and state <> 'paid' and kind = 'checkout' and checkout_ref is not null`,
        [userId],
      )
    }
    return success(enabled)
  })
}
