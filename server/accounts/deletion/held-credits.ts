import type { Db } from '../../db/port.ts'

/** Payments in review and their bonus: what the balance would get if all were released. Micro-dollars. */
export async function findHeldCredits(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ held: number }>(
    `select coalesce(sum(greatest(held - claimed, 0) + bonus
         - least(bonus, floor(bonus::numeric * claimed / amount))), 0)::bigint as held
     from (select held, bonus, amount,
         (select coalesce(sum(amount), 0) from refund where payment_id = payment.id and state <> 'failed')
         + (select coalesce(sum(amount), 0) from dispute where payment_id = payment.id and state <> 'won') as claimed
       from payment where user_id = $1 and kind <> 'gift' and state = 'paid' and held > 0 and released_at is null) waiting`,
    [userId],
  )
  return row?.held ?? 0
}
