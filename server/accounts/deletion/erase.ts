import { dayMs } from '#lib/time.ts'
import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { KeptCard } from '../../payment-provider/port.ts'

/** Verification calls count against limits this long, whoever made them. */
const verificationLimitMs = dayMs

const removals = [
  'delete from refresh_token where user_id = $1',
  'delete from session where user_id = $1',
  'delete from email_confirmation where user_id = $1',
  'delete from password_reset where user_id = $1',
  'delete from email_change where user_id = $1',
  'delete from google_identity where user_id = $1',
  'delete from passkey where user_id = $1',
  'delete from authenticator_app where user_id = $1',
  'delete from recovery_code where user_id = $1',
  'delete from sign_in_step where user_id = $1',
  'delete from called_country where user_id = $1',
  'delete from contact where user_id = $1',
  'delete from caller_origin where user_id = $1',
  'delete from spending_limit where user_id = $1',
  'delete from data_export where user_id = $1',
  'delete from auto_topup_wish where account_id = (select id from account where user_id = $1)',
  `update app_user set name = null, heard_about = null, heard_about_detail = null, heard_about_at = null, referral_code = null
   where id = $1 and deleted_at is not null`,
  // The score alone is anonymous.
  'update feedback set comment = null where user_id = $1 and comment is not null',
  // What the provider and the law need stays: receipt, reference, last digits of the card.
  `update payment set checkout_url = null, card_fingerprint = null, referral_code = null
   where user_id = $1 and (checkout_url is not null or card_fingerprint is not null or referral_code is not null)`,
  // Of a reclaimed account the receipts keep their address, which is its owner's.
  'update payment set billed_name = null where user_id = $1 and billed_name is not null',
  `update payment set billed_email = null where user_id = $1 and billed_email is not null
     and exists (select from app_user where id = $1 and deleted_at is not null)`,
  // An envelope that is out keeps working: its code is kept as a hash.
  `update gift set from_name = null, to_name = null, message = null, recipient_email = null, code_sealed = null
   where user_id = $1 and from_name is not null`,
  // If it is paid after all, no card is saved.
  `update payment set saves_card = false where user_id = $1 and saves_card and state <> 'paid'`,
] as const

/**
 * Call twice: requests in progress during the deletion may write more. The user must be locked.
 * @returns the saved card, which the payment provider must delete
 */
export async function eraseBelongings(tx: Db, userId: string, now: Date): Promise<KeptCard | undefined> {
  for (const removal of removals) await tx.query(removal, [userId])
  const numbers = await tx.query<{ phone_number: string }>(
    'delete from caller_id where user_id = $1 returning phone_number',
    [userId],
  )
  for (const { phone_number: number } of numbers) await enqueue(tx, { kind: 'forget_number', number }, now)
  await tx.query('delete from verification_call where user_id = $1 and asked_at < $2', [
    userId,
    new Date(now.getTime() - verificationLimitMs),
  ])
  const [card] = await tx.query<{ customer_ref: string; method_ref: string }>(
    'delete from saved_card where user_id = $1 returning customer_ref, method_ref',
    [userId],
  )
  return card && { customerRef: card.customer_ref, methodRef: card.method_ref }
}
