import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { originOf } from '../../limits/origin.ts'
import type { BudgetUse } from '../../limits/reserve.ts'
import { cardSubject, personSubjects } from '../../limits/subjects.ts'

/** A credit for a bad call, by the mailbox and last origin of its user and by the card that paid last. */
export async function goodwillUse(
  tx: Db,
  services: Services,
  userId: string,
  amountMicroUsd: number,
): Promise<BudgetUse> {
  const [user] = await tx.query<{ id: string; email: string; fingerprint: string | null }>(
    `select id, email, (select card_fingerprint from (
       select card_fingerprint, paid_at as at from payment
       where user_id = $1 and state = 'paid' and kind <> 'gift'
       union all
       select card_fingerprint, redeemed_at from gift join payment on payment.id = gift.payment_id
       where redeemed_by = $1) paid
       where card_fingerprint is not null order by at desc limit 1) as fingerprint
     from app_user where id = $1`,
    [userId],
  )
  if (user === undefined) throw new Error('a call has no user')
  const { fingerprint } = user
  const subjects = {
    ...personSubjects(services, user, await originOf(tx, userId)),
    ...(fingerprint !== null && { card: cardSubject(services, fingerprint) }),
  }
  return { kind: 'goodwill', subjects, costMicroUsd: amountMicroUsd }
}
