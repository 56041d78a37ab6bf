import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import type { Db } from '../db/port.ts'

/**
 * Requests an auto top-up if a charge for a call left the balance at the low-balance mark and auto top-up is on. Call in the
 * charge's transaction, after it locked the account; the meter does the same within its one statement.
 */
export async function requestAutoTopUp(tx: Db, userId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into auto_topup_wish (account_id, wished_at)
     select account.id, $2 from account join app_user on app_user.id = user_id
     where app_user.id = $1 and balance <= $3 and auto_topup_enabled
     on conflict do nothing`,
    [userId, at, lowBalanceMicroUsd],
  )
}
