import type { Db } from '../db/port.ts'

/** The first link stays. Not for users who have paid before or who deleted an account. The user must be locked. */
export async function attribute(
  tx: Db,
  { userId, code, at }: { readonly userId: string; readonly code: string; readonly at: Date },
): Promise<void> {
  await tx.query(
    `insert into referral (referee_id, referrer_id, joined_at)
     select $1, id, $3 from app_user where referral_code = lower($2) and id <> $1
       and not exists (select 1 from payment where user_id = $1 and state = 'paid')
       and not exists (select 1 from app_user referee where referee.id = $1 and came_back)
     on conflict do nothing`,
    [userId, code, at],
  )
}

/** As `attribute`, with the code of a checkout that is now paid, if it is its buyer's first. */
export async function attributePayment(tx: Db, paymentId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into referral (referee_id, referrer_id, joined_at)
     select payment.user_id, owner.id, $2
     from payment join app_user owner on owner.referral_code = lower(payment.referral_code)
     where payment.id = $1 and owner.id <> payment.user_id
       and not exists (select 1 from payment earlier
         where earlier.user_id = payment.user_id and earlier.state = 'paid' and earlier.id <> payment.id)
       and not exists (select 1 from app_user referee where referee.id = payment.user_id and came_back)
     on conflict do nothing`,
    [paymentId, at],
  )
}
