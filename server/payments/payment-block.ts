import type { Db } from '../db/port.ts'
import { disputeReason, fraudReason } from '../identity/block-reason.ts'
import { endLiveCalls } from '../spending/live-calls.ts'

/**
 * Blocks an account while one of its payments is contested, and unblocks it afterwards unless there is another reason.
 * What was contested when an operator unblocked the account does not block it again. Live calls are hung up within 5 s.
 * The user must be locked.
 */
export async function blockWhileContested(tx: Db, userId: string): Promise<void> {
  const [row] = await tx.query<{ disputed: boolean; reported: boolean }>(
    `with unblocked as (
       select coalesce(max(at), '-infinity') as at from audit_entry where action = 'unblock' and subject = $1::text)
     select exists (select 1 from dispute join payment on payment.id = dispute.payment_id, unblocked
         where payment.user_id = $1::uuid and dispute.state <> 'won' and dispute.created_at > unblocked.at) as disputed,
       exists (select 1 from fraud_warning join payment on payment.id = fraud_warning.payment_id, unblocked
         where payment.user_id = $1::uuid and fraud_warning.created_at > unblocked.at) as reported`,
    [userId],
  )
  const ours = [disputeReason, fraudReason]
  if (row?.disputed === true || row?.reported === true) {
    // A deleted account may be restored, and then the reason counts.
    await tx.query(
      `update app_user set can_call = false, blocked_reason = $2
       where id = $1 and (can_call or blocked_reason = any($3::text[]) or (deleted_at is not null and blocked_reason is null))`,
      [userId, row.reported ? fraudReason : disputeReason, ours],
    )
    await endLiveCalls(tx, userId, 'call_blocked')
  } else {
    await tx.query(
      `update app_user set can_call = deleted_at is null, blocked_reason = null
       where id = $1 and blocked_reason = any($2::text[])`,
      [userId, ours],
    )
  }
}
